// What strangers send that is refused: it leaves no line in the log, which anybody could fill otherwise.
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

/** The absolute form of a request target, up to its path. */
const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/**
 * Brings the absolute form of a request target, which a server must accept (RFC 9112, section 3.2.2), into the form
 * that everything later reads. One that names another host than `Host` is left as it is, and refused: the target
 * decides, and everything later reads the header.
 */
export function shortenTarget(request: IncomingMessage): void {
  const { url = '', headers } = request;
  const [named, authority] = absoluteForm.exec(url) ?? [];
  if (named === undefined || authority?.toLowerCase() !== headers.host?.toLowerCase()) return;
  const rest = url.slice(named.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Refuses a request that has no address, such as one with spaces in `Host`, and TRACE. Returns whether it did. */
export function refuseUnaddressed(request: IncomingMessage, response: ServerResponse): boolean {
  if (requestOf(request) !== undefined) return false;
  const message = 'The method, the Host header or the form of the path is not accepted.';
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
  readonly answered: (answer: () => Promise<Response> | Response) => Promise<Response>;
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
    answered: async (answer) => {
      let isRefused = false;
      try {
        const response = await answer();
        isRefused = response.status >= 400 && response.status < 500;
        return response;
      } finally {
        isAnswered = true;
        if (!isRefused) errors.forEach((error) => logError(error));
      }
    },
  };
}
