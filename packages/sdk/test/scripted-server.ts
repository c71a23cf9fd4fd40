// A peer for the client: answers requests in the order of a script, and keeps what it was sent.
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problems } from '@colophon/contract';
import type { ProblemName } from '@colophon/contract';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Turn = (request: Seen, response: ServerResponse) => void;

export interface ScriptedServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Turn {
  return (_, response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'request-1',
      ...headers,
    });
    response.end(JSON.stringify(body));
  };
}

export function refuse(
  name: ProblemName,
  members: object = {},
  headers: Record<string, string> = {},
): Turn {
  const { status, title } = problems[name];
  const type = `https://example.org/errors/${name}`;
  const problem = {
    type,
    title,
    status,
    detail: `It is ${name}.`,
    request_id: 'request-1',
    ...members,
  };
  return json(status, problem, { 'content-type': 'application/problem+json', ...headers });
}

export function text(status: number, body: string, type = 'text/html'): Turn {
  return (_, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };
}

/** Cuts the connection after the request was read, so that its outcome is unknown. */
export const cut: Turn = (_, response) => {
  response.socket?.destroy();
};

/** Never answers. */
export const silent: Turn = () => {};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** The last turn answers everything that comes after it. */
export async function startScript(...script: readonly Turn[]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    void bodyOf(request).then((body) => {
      const turn = script[Math.min(seen.length, script.length - 1)];
      seen.push({ method, url, headers, body });
      turn?.(seen.at(-1) as Seen, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
