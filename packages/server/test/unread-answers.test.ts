// Clients that send requests and do not read the answers: what they may occupy, and how their connections end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { assertProblem, startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { exchange } from './bad-input/raw-socket.ts';
import { until } from './throw-away-database.ts';

const MiB = 1024 * 1024;
const portOf = ({ baseUrl }: TestServer) => Number(new URL(baseUrl).port);

async function longArticle(server: TestServer): Promise<string> {
  const human = await server.register();
  const { id } = await server.published(human, {
    content: 'word '.repeat(200_000),
    language: 'en',
  });
  return `/v1/articles/${id}`;
}

function get(path: string, token?: string): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n`;
}

/** A client that has sent its requests and reads nothing. */
async function openDeaf(server: TestServer, requests: string): Promise<Socket> {
  const socket = connect(portOf(server), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(requests);
  return socket;
}

/** Resolves when the server has ended the connection. A client that reads nothing finds out by writing. */
async function endedByServer(socket: Socket): Promise<void> {
  await until('the connection is ended', () => {
    socket.write('\r\n');
    return socket.destroyed;
  });
}

/** The server keeps bytes for its clients until they leave. */
function leave(clients: readonly Socket[]): void {
  for (const client of clients) client.resetAndDestroy();
}

test('eight pipelined requests of a connection are worked on at a time, and all are answered in order', async () => {
  await using server = await startServer();
  const human = await server.register();
  const polls = 20;
  const socket = connect(portOf(server), '127.0.0.1').setEncoding('utf8');
  after(() => socket.destroy());
  let received = '';
  socket.on('data', (text: string) => (received += text));
  socket.write(get('/v1/events?wait=25', human.token).repeat(polls) + get('/healthz'));
  await until('the first polls wait', () => server.app.waiting() >= 8);
  let most = server.app.waiting();
  const answered = () => received.split('HTTP/1.1 200 OK').length - 1;
  for (let follower = 0; follower < polls && answered() < polls + 1; follower += 1) {
    const { token } = await server.register();
    await server.ask('POST', '/v1/follows', { token, body: { principal_id: human.id } });
    most = Math.max(most, server.app.waiting());
  }
  await until('every request is answered', () => answered() === polls + 1);
  assert.equal(most, 8);
  assert.ok(received.endsWith('{"status":"ok"}'), 'the last request is answered last');
});

/** Eight in flight, and what waits. */
const pipelinedMax = 8 + 128;

// Each waits for a second in which nothing more comes.
describe('pipelined requests', { concurrency: true }, () => {
  for (const requests of [pipelinedMax, pipelinedMax + 1, 2_000]) {
    test(`of ${requests} pipelined requests ${pipelinedMax} are answered, and the connection closes in order if there are more`, async () => {
      await using server = await startServer();
      const { answers, rest, closedByServer } = await exchange(portOf(server), {
        parts: [Buffer.from(get('/healthz').repeat(requests))],
        ending: 'close',
        bodiless: false,
        quietMs: 1_000,
      });
      assert.equal(answers.length, pipelinedMax);
      assert.ok(answers.every(({ status }) => status === 200));
      assert.equal(rest.length, 0);
      const closing = answers.filter(({ headers }) => headers.get('connection') === 'close');
      assert.deepEqual(closing, requests > pipelinedMax ? [answers.at(-1)] : []);
      assert.equal(closedByServer, requests > pipelinedMax);
    });
  }
});

test('a connection that goes on sending requests after its last answer is cut off', async () => {
  await using server = await startServer();
  const socket = await openDeaf(server, get('/healthz').repeat(pipelinedMax + 1));
  await until('it is ended', () => {
    socket.write(get('/healthz').repeat(10_000));
    return socket.destroyed;
  });
});

test('a connection whose client takes nothing ends; one that reads slowly does not', async () => {
  await using server = await startServer({}, { stallMs: 1_200 });
  const path = await longArticle(server);
  const deaf = await openDeaf(server, get(path).repeat(10));
  const slow = await openDeaf(server, get(path).repeat(10));
  let taken = 0;
  slow.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    slow.pause();
  });
  const reading = setInterval(() => slow.resume(), 2);
  await endedByServer(deaf);
  await until('the slow client has everything', () => taken > 10 * 1_000_000 || slow.destroyed);
  clearInterval(reading);
  assert.equal(slow.destroyed, false);
  leave([slow]);
});

/** A client that takes 4 KiB at a time, in such pieces that the kernel gives it no larger buffer. */
async function openSlow(server: TestServer, requests: string) {
  const pieceBytes = 4096;
  const reader = { taken: 0, socket: new Socket(), [Symbol.dispose]: () => clearInterval(timer) };
  const onread = {
    buffer: Buffer.alloc(pieceBytes),
    callback: (bytes: number) => {
      reader.taken += bytes;
      return false;
    },
  };
  reader.socket = connect({ port: portOf(server), host: '127.0.0.1', onread });
  reader.socket.on('error', () => undefined);
  await once(reader.socket, 'connect');
  reader.socket.write(requests);
  const timer = setInterval(() => reader.socket.resume(), 20);
  after(() => reader.socket.destroy());
  return reader;
}

// Both wait for their clients most of the time.
describe('clients that read slowly', { concurrency: true }, () => {
  test('a client that reads steadily keeps its connection, though the kernel takes more from the server only now and then', async () => {
    await using server = await startServer({}, { stallMs: 3_000 });
    const path = await longArticle(server);
    using reader = await openSlow(server, get(path).repeat(10));
    await until('it has read on', () => reader.taken > 1_500_000 || reader.socket.destroyed);
    assert.equal(reader.socket.destroyed, false, `ended after ${reader.taken} bytes`);
  });

  test('a client that reads steadily but more slowly than the lowest rate is ended', async () => {
    await using server = await startServer({}, { stallMs: 1_000, bytesPerSecond: 4 * MiB });
    const path = await longArticle(server);
    using reader = await openSlow(server, get(path).repeat(10));
    await until('it is ended', () => reader.socket.destroyed);
    assert.ok(reader.taken < 9_000_000, `${reader.taken} bytes`);
  });
});

test('503 unavailable for a long answer while the unread bytes are at their bound; short ones are given', async () => {
  await using server = await startServer(
    // One proxy speaks for many clients, and may fill all of the bound.
    { TRUSTED_PROXIES: '127.0.0.1' },
    { unreadBytes: 8 * MiB },
  );
  const path = await longArticle(server);
  const clients: Socket[] = [];
  after(() => leave(clients));
  // The one that was refused: the kernel takes more now and then, and the next may fit again.
  let refused = await server.ask('GET', path);
  // One client after another: requests that arrive together are refused together, and what is refused fills nothing.
  await until('the bound is reached', async () => {
    clients.push(await openDeaf(server, get(path).repeat(20)));
    refused = await server.ask('GET', path);
    return refused.status === 503;
  });
  assertProblem(refused, 'unavailable');
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.equal(refused.headers.get('etag'), null);
  assert.equal((await server.ask('GET', '/v1/meta')).status, 200);
  assert.equal((await server.ask('GET', '/healthz')).status, 200);
  const human = await server.register();
  await server.draft(human);
  leave(clients);
  await until('it is given again', async () => (await server.ask('GET', path)).status === 200);
});

test('one network address fills two fifths of the bound only', async () => {
  await using server = await startServer({}, { unreadBytes: 32 * MiB });
  const path = await longArticle(server);
  const clients: Socket[] = [];
  after(() => leave(clients));
  // As above, one client after another.
  await until('its part is full', async () => {
    clients.push(await openDeaf(server, get(path).repeat(20)));
    return (await server.ask('GET', path)).status === 503;
  });
  // All of 127.0.0.0/8 reaches the server, so that another address is at hand.
  const elsewhere = connect({ port: portOf(server), host: '127.0.0.1', localAddress: '127.0.0.2' });
  after(() => elsewhere.destroy());
  elsewhere.write(get(path));
  const [chunk] = (await once(elsewhere, 'data')) as [Buffer];
  assert.match(chunk.toString('latin1', 0, 20), /^HTTP\/1\.1 200 OK/);
  // The server's end waits for its connections, and these would delay it until they are reset.
  leave(clients);
  elsewhere.destroy();
});

test('memory grows by at most 200 MB for 480 unread answers of 1 MB', async (t) => {
  await using server = await startServer();
  const path = await longArticle(server);
  await exchange(portOf(server), {
    parts: [Buffer.from(get(path).repeat(8))],
    ending: 'close',
    bodiless: false,
  });
  const before = process.memoryUsage().rss;
  const clients = await Promise.all(
    Array.from({ length: 4 }, () => openDeaf(server, get(path).repeat(120))),
  );
  after(() => leave(clients));
  let most = 0;
  let since = performance.now();
  // It has grown as far as it will when it has not for so long.
  await until('memory stays where it is', () => {
    const grown = process.memoryUsage().rss - before;
    if (grown > most + MiB) since = performance.now();
    most = Math.max(most, grown);
    return performance.now() - since > 2_000;
  });
  t.diagnostic(`${Math.round(most / MiB)} MiB`);
  assert.ok(most <= 200 * MiB, `${Math.round(most / MiB)} MiB`);
});
