// What strangers send that is not a request of the protocol: it is answered, and leaves no line in the log, which
// anybody could fill otherwise.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { logError } from './log.ts';

function requestOf({ method, headers, url }: IncomingMessage): Request | undefined {
  try {
    return new Request(`http://${headers.host}${url}`, { method: method ?? 'GET' });
  } catch {
    return undefined;
  }
}

/** Refuses a request that has no address, such as one with spaces in `Host`, and TRACE. Returns whether it did. */
export function refuseUnaddressed(request: IncomingMessage, response: ServerResponse): boolean {
  if (requestOf(request) !== undefined) return false;
  const message = 'The method, the Host header or the path is not valid.';
  const body = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } };
  response.writeHead(400, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body));
  return true;
}

/** Logs an error, unless the client left before it had sent the whole request. */
export function logUnlessLeft(error: unknown): void {
  if ((error as NodeJS.ErrnoException | null)?.code !== 'ECONNRESET') logError(error);
}

/** Returns the message in the body of a request; undefined for any other body. */
export async function messageIn(request: Request): Promise<JSONRPCMessage | undefined> {
  try {
    return parseJSONRPCMessage(await request.clone().json());
  } catch {
    return undefined;
  }
}

export interface Reports {
  readonly onerror: (error: Error) => void;
  /** Logs what was reported, unless the answer says that the request was at fault. */
  readonly answered: (response: Response) => Response;
}

/** Collects what the handler of a request reports until its answer is known: it reports refusals as errors too. */
export function collectReports(): Reports {
  const errors: Error[] = [];
  let isAnswered = false;
  return {
    onerror: (error) => {
      if (isAnswered) logError(error);
      else errors.push(error);
    },
    answered: (response) => {
      isAnswered = true;
      const isRefused = response.status >= 400 && response.status < 500;
      if (!isRefused) errors.forEach((error) => logError(error));
      return response;
    },
  };
}
