// The server when its database goes away, and when it is asked to stop.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { sql } from '#database';
import { assertProblem, freshKey, startServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { setup } from './global-setup.ts';
import { until } from './throw-away-database.ts';

test('503 unavailable while the database is away, told by /readyz; what needs none still answers', async () => {
  await using cleanup = new AsyncDisposableStack();
  const run = await setup();
  cleanup.defer(run.dispose);
  const shared = { ...process.env };
  Object.assign(process.env, run.env);
  const server = await startServer();
  cleanup.defer(() => rm(server.services.config.dataDir, { recursive: true, force: true }));
  cleanup.use(server.services);
  cleanup.use(server.app);
  for (const name of Object.keys(run.env)) {
    if (shared[name] === undefined) delete process.env[name];
    else process.env[name] = shared[name];
  }
  const human = await server.register();
  await run.dispose();
  const ready = await server.ask('GET', '/readyz');
  assertProblem(ready, 'unavailable');
  assert.match(ready.body.detail, /database/);
  assert.notEqual(ready.body.checks.database, 'ok');
  assert.equal(ready.body.checks.disk, 'ok');
  const body = { title: 'T', content: 'C' };
  const refused = [
    await server.ask('GET', '/v1/me', { token: human.token }),
    await server.ask('GET', '/v1/articles'),
    await server.ask('POST', '/v1/articles', { token: human.token, key: freshKey(), body }),
    await server.ask('POST', '/v1/humans', { body: { username: 'somebody' } }),
  ];
  for (const answer of [...refused, ready]) {
    assertProblem(answer, 'unavailable');
    assert.equal(answer.body.retry_after_seconds, 1);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
  for (const path of ['/healthz', '/v1/meta', '/v1/openapi.json', '/errors/unavailable']) {
    assert.equal((await server.ask('GET', path)).status, 200);
  }
  const { status, body: figures } = await server.ask('GET', '/metrics');
  assert.equal(status, 200);
  assert.match(figures, /^process_resident_memory_bytes \d/m);
  assert.doesNotMatch(figures, /^colophon_pipeline_waiting \d/m);
});

interface Client {
  readonly socket: Socket;
  received: string;
  ended: boolean;
}

function open(server: TestServer): Client {
  const client: Client = {
    socket: connect(Number(new URL(server.baseUrl).port), '127.0.0.1'),
    received: '',
    ended: false,
  };
  client.socket.setEncoding('utf8');
  client.socket.on('data', (text: string) => (client.received += text));
  client.socket.on('close', () => (client.ended = true));
  client.socket.on('error', () => undefined);
  return client;
}

async function listens(server: TestServer): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

test('a stop finishes the request in flight, ends idle connections and accepts no new ones', async () => {
  await using server = await startServer();
  const human = await server.register();
  const idle = open(server);
  idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until('the idle connection was served', () => idle.received.includes('"ok"'));

  const body = JSON.stringify({
    title: 'Sent slowly',
    content: 'Half of it came before the stop.',
  });
  const busy = open(server);
  const head = [
    'POST /v1/articles HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${human.token}`,
    `Idempotency-Key: ${freshKey()}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
    '',
    '',
  ];
  busy.socket.write(head.join('\r\n'));
  await until('the server took up the request', () => busy.received.includes('100 Continue'));
  busy.socket.write(body.slice(0, 20));

  const begun = performance.now();
  const stopped = server.app[Symbol.asyncDispose]();
  await until('the listener is closed', async () => !(await listens(server)));
  await until('the idle connection is ended', () => idle.ended);
  assert.equal(busy.ended, false);
  busy.socket.write(body.slice(20));
  await until('the request is answered', () => busy.ended);
  await stopped;
  assert.ok(performance.now() - begun < 60_000);
  assert.match(busy.received, /HTTP\/1\.1 201 Created/);
  assert.match(busy.received, /connection: close/i);
  const made = await server.db.rows(sql`select id from articles`);
  assert.equal(made.length, 1);
});

test('a stop answers what idle connections send while it drains, and closes each with its answer', async () => {
  // It does not take so long: when the last connection is closed, the drain is over.
  await using server = await startServer({}, { drainMs: 60_000 });
  const path = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const idle = open(server);
  idle.socket.write(path);
  await until('the connection was served', () => idle.received.includes('"ok"'));
  const fresh = open(server);
  await until('the other one is open', () => fresh.socket.readyState === 'open');
  const stopped = server.app[Symbol.asyncDispose]();
  await until('the listener is closed', async () => !(await listens(server)));
  assert.equal(idle.ended || fresh.ended, false);
  for (const client of [idle, fresh]) {
    client.received = '';
    client.socket.write(path);
    await until('it is answered and closed', () => client.ended);
    assert.match(client.received, /^HTTP\/1\.1 200 OK[^]*connection: close[^]*"ok"/i);
  }
  await stopped;
});

test('a stop closes connections that stay silent when the drain is over', async () => {
  await using server = await startServer({}, { drainMs: 100 });
  const idle = open(server);
  idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until('the connection was served', () => idle.received.includes('"ok"'));
  const fresh = open(server);
  await until('the other one is open', () => fresh.socket.readyState === 'open');
  await server.app[Symbol.asyncDispose]();
  await until('both are closed', () => idle.ended && fresh.ended);
});

test('a stop writes down when tokens were last used, to the minute', async () => {
  await using server = await startServer();
  const human = await server.register();
  const before = Math.floor(Date.now() / 60_000) * 60_000;
  await server.ask('GET', '/v1/me', { token: human.token });
  await server.app[Symbol.asyncDispose]();
  const row = await server.db.first(sql<{ last_used_at: string }>`select last_used_at from tokens`);
  const used = Date.parse(row?.last_used_at ?? '');
  assert.ok(used >= before && used <= Date.now());
  assert.equal(used % 60_000, 0);
});
