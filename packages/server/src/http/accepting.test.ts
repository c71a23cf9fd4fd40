// Tests of accepting: many connections in few turns of the event loop, all that wait at a stop, and none beyond the limit.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { Socket, connect } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { readConfig } from '#config';
import { openConnections } from './connections/index.ts';
import { startServer } from '#test/harness';
import { freePort } from './free-port.ts';
import { listen } from './listen.ts';
import { serverMaker } from './listeners.ts';

const host = '127.0.0.1';
const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Connects so many clients, which the system has accepted before this process looks again. */
async function connectAll(port: number, count: number): Promise<readonly Socket[]> {
  const clients = Array.from({ length: count }, () => {
    const client = connect(port, host).setEncoding('utf8');
    client.on('error', () => undefined);
    client.write(request);
    after(() => client.destroy());
    return client;
  });
  await new Promise((resolve) => process.nextTick(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  return clients;
}

async function listenOn(app: FastifyInstance): Promise<number> {
  const port = await freePort(host);
  const config = { host, alsoHost: undefined, port, processName: undefined };
  assert.deepEqual(await listen(app, config), [`${host}:${port}`]);
  after(() => app.close());
  return port;
}

test('waiting connections are accepted in few turns of the event loop', async () => {
  const app = fastify({ forceCloseConnections: true });
  const port = await listenOn(app);
  let accepted = 0;
  app.server.on('connection', () => (accepted += 1));
  const count = 96;
  await connectAll(port, count);
  let turns = 0;
  for (let before = 0; accepted < count; before = accepted) {
    await nextTurn();
    if (accepted > before) turns += 1;
  }
  // One in each turn needs 96; of 96 in 16 queues, the longest has more than 24 once in 10 million.
  assert.ok(turns <= 28, `${turns} turns`);
});

test('a port in use is refused, although sockets could share it', async () => {
  const port = await listenOn(fastify());
  const again = listen(fastify(), { host, alsoHost: undefined, port, processName: undefined });
  await assert.rejects(
    again,
    /Port \d+ on 127\.0\.0\.1 is in use: stop what uses it, or set PORT\./,
  );
});

test('an address of another machine is refused, and nothing connects to it', async (t) => {
  // An address for documents (RFC 5737), which no machine has.
  const elsewhere = '192.0.2.1';
  const port = await freePort(host);
  const config = { host: elsewhere, alsoHost: undefined, port, processName: undefined };
  const connected = t.mock.method(Socket.prototype, 'connect');
  await assert.rejects(
    listen(fastify(), config),
    /HOST is 192\.0\.2\.1, which is not an address of this machine: set it to one\./,
  );
  assert.equal(connected.mock.callCount(), 0);
});

test('closing closes every socket of the port', async () => {
  const app = fastify();
  const port = await listenOn(app);
  await app.close();
  const [refused] = (await once(connect(port, host), 'error')) as [NodeJS.ErrnoException];
  assert.equal(refused.code, 'ECONNREFUSED');
});

const config = readConfig({ LIMITS: 'off' });

/** A server with the connections of the service, which answers each request. */
function openCounted(bounds: Parameters<typeof openConnections>[1]): Promise<number> {
  const connections = openConnections(config, bounds);
  after(() => connections[Symbol.dispose]());
  const { make } = serverMaker(config, connections);
  const handle: RequestListener = (_request, response) => {
    response.end('answered');
  };
  const app = fastify({ serverFactory: () => make(handle) });
  return listenOn(app);
}

/** Returns how many of the clients are answered; the others are reset or closed. */
async function countAnswers(clients: readonly Socket[]): Promise<number> {
  const answers = await Promise.all(
    clients.map((client) =>
      Promise.race([
        once(client, 'data').then(
          ([text]) => String(text).startsWith('HTTP/1.1 200'),
          () => false,
        ),
        once(client, 'close').then(
          () => false,
          () => false,
        ),
      ]),
    ),
  );
  return answers.filter(Boolean).length;
}

test('a stop accepts and answers all connections that wait', async () => {
  const server = await startServer();
  const clients = await connectAll(Number(new URL(server.baseUrl).port), 96);
  const stopped = server[Symbol.asyncDispose]();
  assert.equal(await countAnswers(clients), clients.length);
  for (const client of clients) client.destroy();
  await stopped;
});

test('all sockets together take no more connections than a process may have', async () => {
  const port = await openCounted({ connections: 40 });
  assert.equal(await countAnswers(await connectAll(port, 96)), 40);
});
