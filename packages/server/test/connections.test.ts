// Connections: how many one network address may have, half-closed ones, and bodies that are not asked for.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { freshKey, startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { startLimitedServer } from './limits-file.ts';
import { until } from './throw-away-database.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const human = await server.register();

interface Client {
  readonly socket: Socket;
  received: string;
  ended: boolean;
}

/** All of 127.0.0.0/8 reaches the server, so that a client may have an address of its own. */
async function open(to: TestServer, localAddress = '127.0.0.1'): Promise<Client> {
  const port = Number(new URL(to.baseUrl).port);
  const options = { port, host: '127.0.0.1', localAddress, allowHalfOpen: true };
  const socket = connect(options).setEncoding('utf8');
  const client: Client = { socket, received: '', ended: false };
  socket.on('data', (text: string) => (client.received += text));
  socket.on('end', () => (client.ended = true)).on('close', () => (client.ended = true));
  socket.on('error', () => undefined);
  // A reset may come before the connection is known to be there.
  await once(socket, 'connect').catch(() => undefined);
  after(() => socket.destroy());
  return client;
}

const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function ask(client: Client, request = health): Promise<string> {
  client.received = '';
  client.socket.write(request);
  await until('it is answered', () => client.received.endsWith('}') || client.ended);
  return client.received;
}

function creation(title: string, more: readonly string[] = []): string {
  const body = JSON.stringify({ title, content: 'Text.' });
  const head = [
    'POST /v1/articles HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${human.token}`,
    `Idempotency-Key: ${freshKey()}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return [...head, ...more, '', body].join('\r\n');
}

const limit = 4;

test('429 rate-limited on the first connection too many of an address; others of the address and other addresses are served', async () => {
  await using limited = await startLimitedServer({ connections_per_address: limit });
  const from = '127.0.0.9';
  const clients: Client[] = [];
  for (let n = 0; n < limit; n += 1) clients.push(await open(limited, from));
  for (const client of clients) assert.match(await ask(client), /^HTTP\/1\.1 200 OK/);
  const refused = await open(limited, from);
  const told = await ask(refused);
  assert.match(told, /^HTTP\/1\.1 429 Too Many Requests/);
  assert.match(told, /connection: close/i);
  assert.match(told, /retry-after: 1/i);
  assert.match(told, /x-request-id: /i);
  assert.match(told, /"type":"[^"]*\/rate-limited".*more than 4 connections/);
  await until('it is closed', () => refused.ended);
  assert.match(await ask(await open(limited, '127.0.0.10')), /^HTTP\/1\.1 200 OK/);
  for (const client of clients) assert.match(await ask(client), /^HTTP\/1\.1 200 OK/);
  refused.socket.destroy();
  clients.pop()?.socket.destroy();
  await until('there is room again', async () => {
    const client = await open(limited, from);
    const answer = await ask(client);
    client.socket.destroy();
    return answer.startsWith('HTTP/1.1 200 OK');
  });
});

test('a refused connection gets to read its answer although it sends a long body', async () => {
  await using limited = await startLimitedServer({ connections_per_address: limit });
  const from = '127.0.0.9';
  for (let n = 0; n < limit; n += 1) await ask(await open(limited, from));
  const refused = await open(limited, from);
  const head = `POST /v1/humans HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const told = await ask(refused, `${head}Content-Length: 2000000\r\n\r\n${' '.repeat(2_000_000)}`);
  assert.match(told, /^HTTP\/1\.1 429 /);
});

test('connections far beyond the limit are reset without an answer', async () => {
  await using limited = await startLimitedServer({ connections_per_address: limit });
  const clients: Client[] = [];
  for (let n = 0; n < 4 * limit; n += 1) clients.push(await open(limited, '127.0.0.9'));
  await until('they are ended', () => clients.slice(2 * limit).every(({ ended }) => ended));
  assert.ok(clients.slice(0, limit).every(({ ended }) => !ended));
});

test('connections of a trusted proxy are not counted, and with LIMITS=off none are', async () => {
  await using proxied = await startLimitedServer(
    { connections_per_address: limit },
    { TRUSTED_PROXIES: '127.0.0.9' },
  );
  for (const [to, from] of [
    [proxied, '127.0.0.9'],
    [server, '127.0.0.1'],
  ] as const) {
    for (let n = 0; n < 3 * limit; n += 1)
      assert.match(await ask(await open(to, from)), /^HTTP\/1\.1 200 OK/);
  }
});

test('a client that closes its side after whole requests gets the answers to all of them', async () => {
  const client = await open(server);
  client.socket.end(creation('first half') + creation('second half') + health);
  await until('the connection is closed', () => client.ended);
  assert.equal(client.received.split('HTTP/1.1 201 Created').length - 1, 2);
  assert.equal(client.received.split('HTTP/1.1 200 OK').length - 1, 1);
  assert.ok(client.received.endsWith('{"status":"ok"}'));
});

test('a poll whose client closes its side is answered at once with what there is', async () => {
  const client = await open(server);
  const head = [
    'GET /v1/events?wait=25 HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${human.token}`,
  ];
  client.socket.write([...head, '', ''].join('\r\n'));
  await until('it waits', () => server.app.waiting() === 1);
  const began = performance.now();
  client.socket.end();
  await until('it is answered', () => client.ended);
  assert.match(client.received, /^HTTP\/1\.1 200 OK[^]*"items":\[\]/);
  assert.ok(performance.now() - began < 20_000, 'before its time was over');
  assert.equal(server.app.waiting(), 0);
});

const expectation = 'Expect: 100-continue';
const refusedEarly: readonly (readonly [string, number, (text: string) => string])[] = [
  ['no token', 401, (text) => text.replace(/Authorization: .*\r\n/, '')],
  ['no Idempotency-Key', 400, (text) => text.replace(/Idempotency-Key: .*\r\n/, '')],
  ['a body over the limit', 413, (text) => text.replace(/(Content-Length: )\d+/, '$199000000')],
  ['another type of body', 400, (text) => text.replace('application/json', 'text/plain')],
  ['no such path', 404, (text) => text.replace('/v1/articles', '/v1/nothing')],
];
for (const [what, status, changed] of refusedEarly) {
  test(`Expect: 100-continue: ${status} instead of 100 for ${what}, and the connection closes`, async () => {
    const client = await open(server);
    const [head] = changed(creation('expected', [expectation])).split('\r\n\r\n');
    const told = await ask(client, `${head}\r\n\r\n`);
    assert.match(told, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(told, /connection: close/i);
    client.socket.end();
    await until('it is closed', () => client.ended);
  });
}

test('Expect: 100-continue: 100, then the answer, for a request that is taken; the connection stays', async () => {
  const client = await open(server);
  const [head, body] = creation('expected', [expectation]).split('\r\n\r\n');
  client.socket.write(`${head}\r\n\r\n`);
  await until('the body is asked for', () => client.received !== '');
  assert.equal(client.received, 'HTTP/1.1 100 Continue\r\n\r\n');
  assert.match(await ask(client, body), /^HTTP\/1\.1 201 Created/);
  assert.match(await ask(client), /^HTTP\/1\.1 200 OK/);
});
