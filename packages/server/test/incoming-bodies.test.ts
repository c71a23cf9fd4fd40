// Long bodies that are on their way: how many bytes of them the server keeps, for one account and for all.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openIncoming } from '../src/http/input/incoming.ts';
import { assertProblem, startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

const MiB = 1024 * 1024;
const longest = 8 * MiB;
const held = 64 * 1024;

interface Upload {
  readonly socket: Socket;
  readonly received: () => string;
}

/** A request whose body lacks its last 64 KiB. */
async function begin(server: TestServer, { token }: Human): Promise<Upload> {
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1').setEncoding('utf8');
  after(() => socket.destroy());
  let received = '';
  socket.on('data', (text: string) => (received += text)).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST /v1/articles HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Idempotency-Key: ${crypto.randomUUID()}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${longest}\r\n\r\n`,
  );
  socket.write(`{"title": "${'x'.repeat(longest - held)}`);
  return { socket, received: () => received };
}

async function answerOf({ received }: Upload): Promise<string> {
  await until('it is answered', () => received().includes('\r\n\r\n'));
  return received().split('\r\n', 1)[0] ?? '';
}

/** Sends a chunked body until the server has ended the connection, or all of it is sent; answers what came back. */
async function sendPieces(
  server: TestServer,
  head: string,
  { piece, count }: { readonly piece: string; readonly count: number },
): Promise<string> {
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1').setEncoding('utf8');
  after(() => socket.destroy());
  let received = '';
  socket.on('data', (text: string) => (received += text)).on('error', () => undefined);
  const ended = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  socket.write(`${head}\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
  const atOnce = 1_000;
  for (let sent = 0; sent < count && !socket.destroyed; sent += atOnce) {
    const drained = socket.write(chunk.repeat(Math.min(atOnce, count - sent)));
    if (!drained) await Promise.race([once(socket, 'drain').catch(() => undefined), ended]);
    // As a client does, it reads while it sends: a reset discards what has arrived and is not read.
    await nextTurn();
  }
  if (!socket.destroyed) socket.end('0\r\n\r\n');
  await ended;
  return received;
}

const postBy = ({ token }: Human) =>
  `POST /v1/articles HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
  `Idempotency-Key: ${crypto.randomUUID()}\r\nContent-Type: application/json`;

test('400 a body that comes in a great many small pieces; pieces of ordinary size are taken', async () => {
  await using server = await startServer();
  const human = await server.register();
  const refused = await sendPieces(server, postBy(human), { piece: 'x', count: 2_000_000 });
  assert.match(refused, /^HTTP\/1\.1 400 [^]*chunks that are too small/);
  for (const sent of [
    { piece: 'x', count: 4_000 },
    { piece: 'x'.repeat(300), count: 27_000 },
  ]) {
    const taken = await sendPieces(server, postBy(human), sent);
    assert.match(taken, /^HTTP\/1\.1 400 [^]*is not JSON/);
  }
});

test('a body that is not read ends its connection, whatever the answer was', async () => {
  await using server = await startServer();
  for (const path of ['/healthz', '/v1/meta', '/', '/no-such-path']) {
    const head = `GET ${path} HTTP/1.1`;
    const answer = await sendPieces(server, head, { piece: 'x', count: Number.POSITIVE_INFINITY });
    assert.match(answer, path === '/no-such-path' ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 200 /);
  }
});

test('400 a query with many faults is answered with some of them', async () => {
  await using server = await startServer();
  const query = Array.from({ length: 100 }, (_, n) => `${'a'.repeat(70)}${n}&`.repeat(2)).join('');
  const response = await server.ask('GET', `/v1/articles?${query.slice(0, -1)}`);
  assertProblem(response, 'invalid-request');
  assert.equal(response.body.errors.length, 50);
  assert.ok(JSON.stringify(response.body).length < 32 * 1024);
});

test('400 a query with thousands of parameters is not parsed, at operations and pages', async () => {
  await using server = await startServer();
  for (const path of [
    '/v1/articles',
    '/',
    '/search',
    '/feed.atom',
    '/oembed',
    '/media/x',
    '/readyz',
  ]) {
    for (const query of ['a&'.repeat(7_000), '&'.repeat(7_000), 'q=a&'.repeat(201)]) {
      const response = await server.ask('GET', `${path}?${query}`);
      assertProblem(response, 'invalid-request');
      assert.deepEqual(
        (response.body.errors as readonly { code: string }[]).map(({ code }) => code),
        ['too-many'],
      );
    }
  }
});

test('429 a third long body of an account; its short ones and those of others are taken', async () => {
  await using server = await startServer();
  const [ann, ben] = [await server.register(), await server.register()];
  const first = await begin(server, ann);
  const second = await begin(server, ann);
  await until(
    'both have arrived',
    () => first.socket.writableLength + second.socket.writableLength === 0,
  );
  const third = await begin(server, ann);
  assert.match(await answerOf(third), / 429 /);
  assert.match(third.received(), /one at a time/);
  assert.match(third.received(), /retry-after: 2/i);
  await server.published(ann);
  const other = await begin(server, ben);
  for (const upload of [first, second, other]) {
    upload.socket.write('x'.repeat(held));
    assert.match(await answerOf(upload), / 400 /, 'the whole body was read: it is not JSON');
  }
  const again = await begin(server, ann);
  again.socket.write('x'.repeat(held));
  assert.match(await answerOf(again), / 400 /);
});

test('503 a long body while those of many accounts fill the bound; what was read is released', () => {
  const incoming = openIncoming(16 * MiB);
  const open = (account: string, address: string) => incoming.open({ account, address });
  const bodies = [open('ann', 'a'), open('ben', 'a'), open('cia', 'b'), open('dan', 'b')];
  for (const body of bodies) body.add(4 * MiB);
  const late = open('eve', 'c');
  late.add(held);
  assert.throws(() => late.add(1), { problem: 'unavailable' });
  late[Symbol.dispose]();
  assert.throws(() => bodies[0]?.add(1), { problem: 'rate-limited' });
  bodies[0]?.[Symbol.dispose]();
  bodies[0]?.[Symbol.dispose]();
  const other = open('eve', 'c');
  other.add(4 * MiB);
  other[Symbol.dispose]();
  const neighbour = open('fay', 'b');
  assert.throws(() => neighbour.add(held + 1), { problem: 'rate-limited' }, 'of one address half');
});
