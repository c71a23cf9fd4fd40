// A proxy that misbehaves: some requests get 503, some answers are lost after the request had its effect.
import { createServer, request as send } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BadProxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** How often it refused a request, and how often it lost an answer. */
  readonly counts: { refused: number; lost: number };
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: URL,
  isLost: boolean,
): void {
  const { method, url: path, headers } = request;
  const { hostname, port } = target;
  const onward = send({ hostname, port, method, path, headers }, (answer) => {
    if (isLost) {
      answer.resume().on('end', () => response.socket?.destroy());
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.socket?.destroy());
  request.pipe(onward);
}

/** Refuses every fifth request, and loses every third answer of the others. */
export async function startBadProxy(target: string): Promise<BadProxy> {
  const counts = { refused: 0, lost: 0 };
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    if (count % 5 === 0) {
      counts.refused += 1;
      response.writeHead(503, { 'content-type': 'text/html' });
      request.resume().on('end', () => response.end('<h1>Bad gateway</h1>'));
      return;
    }
    const isLost = count % 3 === 0;
    if (isLost) counts.lost += 1;
    forward(request, response, new URL(target), isLost);
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => {
        server.close(closed);
      });
    },
  };
}
