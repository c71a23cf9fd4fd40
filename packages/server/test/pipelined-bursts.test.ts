// Connections that send thousands of requests at once: what is parsed and begun in one turn of the event loop.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { exchange } from './bad-input/raw-socket.ts';
import type { Exchange } from './bad-input/raw-socket.ts';
import { startServer } from './harness.ts';
import { until } from './throw-away-database.ts';

/** Those that wait, and those that begin in one turn. */
const perTurn = 128 + 16;
const host = 'Host: localhost\r\n';
const get = `GET /none HTTP/1.1\r\n${host}\r\n`;
const post = `POST /v1/reports HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`;
/** So long that fewer come in one read of the socket than may wait. */
const long = `GET /none HTTP/1.1\r\n${host}X: ${'a'.repeat(441)}\r\n\r\n`;

/** The requests that are parsed, in all and at most in one turn of the event loop, and their connections. */
function countParsed() {
  const sockets = new Set<Socket>();
  const dispose = () => unsubscribe(channel, count);
  const parsed = { all: 0, mostInTurn: 0, sockets, [Symbol.dispose]: dispose };
  const channel = 'http.server.request.start';
  let inTurn = 0;
  const count = (event: unknown) => {
    sockets.add((event as { readonly socket: Socket }).socket);
    if (inTurn === 0)
      setImmediate(() => {
        inTurn = 0;
      });
    inTurn += 1;
    parsed.all += 1;
    parsed.mostInTurn = Math.max(parsed.mostInTurn, inTurn);
  };
  subscribe(channel, count);
  return parsed;
}

interface Burst extends Exchange, Omit<ReturnType<typeof countParsed>, typeof Symbol.dispose> {
  /** What the server has read until it closed the connection. */
  readonly bytesRead: number;
}

async function burst(requests: string): Promise<Burst> {
  await using server = await startServer();
  using parsed = countParsed();
  const exchanged = await exchange(Number(new URL(server.baseUrl).port), {
    parts: [Buffer.from(requests)],
    ending: 'close',
    bodiless: false,
    quietMs: 2_000,
  });
  const [socket] = parsed.sockets;
  assert.ok(socket);
  await until('the server has closed the connection', async () => socket.destroyed);
  return { ...exchanged, ...parsed, bytesRead: socket.bytesRead };
}

for (const [what, requests] of [
  ['requests', get.repeat(20_000)],
  ['requests with bodies', post.repeat(10_000)],
  [
    'requests for another protocol',
    get.repeat(136) +
      get.replace('\r\n\r\n', '\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n').repeat(10_000),
  ],
] as const) {
  test(`of a burst of ${what} those that are not answered are not parsed, and the connection closes in order`, async () => {
    const { answers, rest, closedByServer, all, bytesRead } = await burst(requests);
    assert.ok(answers.length >= 136 && answers.length <= perTurn, `${answers.length} answers`);
    assert.equal(all, answers.length + 1);
    assert.equal(answers.at(-1)?.headers.get('connection'), 'close');
    assert.equal(rest.length, 0);
    assert.ok(closedByServer);
    assert.equal(bytesRead, requests.length, 'unread bytes would reset the connection');
  });
}

test('a long burst of requests is answered whole, and in each turn of the event loop few are parsed', async () => {
  const { answers, mostInTurn } = await burst(long.repeat(3_000));
  assert.equal(answers.length, 3_000);
  assert.ok(mostInTurn <= perTurn, `${mostInTurn} in one turn`);
});
