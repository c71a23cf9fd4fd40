// A network that misbehaves: a proxy before a real server that loses, cuts, delays and refuses at random.
import { createServer, request as forward } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one request. */
export const faults = [
  'reset before the service',
  'reset after the service',
  'half an answer',
  'answer longer than its length',
  'answer shorter than its length',
  'page of a gateway',
  'unavailable',
  'rate-limited',
  'slow',
] as const;
export type Fault = (typeof faults)[number];

export interface FaultyProxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** How often each fault was injected. */
  readonly injected: ReadonlyMap<Fault, number>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function ask(target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method, url = '/', headers } = incoming;
  return new Promise((resolve, reject) => {
    const outgoing = forward(new URL(url, target), { method, headers }, (response) => {
      const { statusCode: status = 0, headers: heads } = response;
      bytesOf(response).then((bytes) => resolve({ status, headers: heads, body: bytes }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function problem(response: ServerResponse, status: number, name: string): void {
  const body = { type: `https://example.org/errors/${name}`, title: name, status };
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify(body));
}

/** Sends an answer with a Content-Length that is wrong by `surplus` bytes, or not to its end. */
function sendWrong(response: ServerResponse, answer: Answer, surplus: number, part = 1): void {
  const { socket } = response;
  const head = [
    `HTTP/1.1 ${answer.status} X`,
    `content-type: ${answer.headers['content-type'] ?? 'application/json'}`,
    `content-length: ${answer.body.length + surplus}`,
  ].join('\r\n');
  socket?.write(`${head}\r\n\r\n`);
  socket?.end(answer.body.subarray(0, Math.floor(answer.body.length * part)));
}

type Spoil = (response: ServerResponse, answer: Answer) => void;

/** Faults of the way back: the service has done its work. */
const spoils: Partial<Record<Fault, Spoil>> = {
  'reset after the service': ({ socket }) => socket?.resetAndDestroy(),
  'half an answer': (response, answer) => sendWrong(response, answer, 0, 0.5),
  'answer longer than its length': (response, answer) =>
    sendWrong(response, answer, -Math.min(3, answer.body.length)),
  'answer shorter than its length': (response, answer) => sendWrong(response, answer, 20),
  'page of a gateway': (response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<h1>Bad gateway</h1>');
  },
};

/** Faults of the way there: the service sees nothing. */
const refusals: Partial<Record<Fault, (response: ServerResponse) => void>> = {
  'reset before the service': ({ socket }) => socket?.resetAndDestroy(),
  unavailable: (response) => problem(response, 503, 'unavailable'),
  'rate-limited': (response) => problem(response, 429, 'rate-limited'),
};

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length });
  response.end(body);
}

/**
 * Starts a proxy before the service at `target`. `draw` decides for each request which fault it meets.
 */
export async function startFaultyProxy(
  target: string,
  draw: (method: string, path: string) => Fault | undefined,
): Promise<FaultyProxy> {
  const injected = new Map<Fault, number>();
  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming);
    const fault = draw(incoming.method ?? '', incoming.url ?? '');
    if (fault !== undefined) injected.set(fault, (injected.get(fault) ?? 0) + 1);
    const refuse = fault === undefined ? undefined : refusals[fault];
    if (refuse !== undefined) {
      refuse(response);
      return;
    }
    const answer = await ask(target, incoming, body);
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 30));
    const spoil = fault === undefined ? undefined : spoils[fault];
    if (spoil !== undefined) spoil(response, answer);
    else send(response, answer);
  }
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    injected,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
