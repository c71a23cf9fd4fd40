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

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(answer: Answer): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const server = createServer(answer);
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => {
        server.close(closed);
      });
    },
  };
}

/** Refuses every fifth request, and loses every third answer of the others. */
export async function startBadProxy(target: string): Promise<BadProxy> {
  const counts = { refused: 0, lost: 0 };
  let count = 0;
  const server = await listen((request, response) => {
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
  return { ...server, counts };
}

export interface CuttingProxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** The Range header of each download. */
  readonly ranges: readonly (string | undefined)[];
  /** Downloads to cut after so many bytes. */
  cuts: number;
}

/** Cuts downloads of archives after some bytes. */
export async function startCuttingProxy(target: string, bytes: number): Promise<CuttingProxy> {
  const ranges: (string | undefined)[] = [];
  const server = await listen((request, response) => {
    if (request.url?.endsWith('/content') !== true)
      return forward(request, response, new URL(target), false);
    ranges.push(request.headers.range);
    if (proxy.cuts > 0) {
      proxy.cuts -= 1;
      const { socket } = response;
      const write = response.write.bind(response);
      const cut = (chunk: Buffer) => {
        response.write = () => true;
        // A reset that follows at once would take the bytes with it.
        return write(chunk.subarray(0, bytes), () => {
          setTimeout(() => socket?.destroy(), 20);
        });
      };
      response.write = cut as typeof response.write;
    }
    forward(request, response, new URL(target), false);
  });
  const proxy: CuttingProxy = { ...server, ranges, cuts: 0 };
  return proxy;
}

/** Answers every request with one export whose id leads out of a folder. */
export async function startLyingService(id: string) {
  return listen((request, response) => {
    response.writeHead(201, { 'content-type': 'application/json' });
    const member = { id, principal_id: 'x', status: 'ready', created_at: '../2026' };
    const principal = { id: 'x', username: '../../x' };
    request.resume().on('end', () => {
      response.end(JSON.stringify({ ...member, principal, items: [], next_cursor: null }));
    });
  });
}
