// What breaks behind a valid request: its own answer comes first, and no broken end takes the server down.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { checkNothingLeft } from './bystander.ts';
import { exchange } from './raw-socket.ts';

let server: TestServer;
let token: string;
let port: number;

before(async () => {
  server = await startServer();
  port = Number(new URL(server.baseUrl).port);
  token = (await server.register()).token;
});

after(async () => {
  await server[Symbol.asyncDispose]();
});

function creation(title: string): string {
  const body = JSON.stringify({ title, content: 'Sound.' });
  return [
    'POST /v1/articles HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${crypto.randomUUID()}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

async function statusesOf(text: string): Promise<readonly number[]> {
  const { answers, rest } = await exchange(port, {
    parts: [Buffer.from(text, 'latin1')],
    ending: 'close',
    bodiless: false,
    quietMs: 5_000,
  });
  assert.equal(rest.length, 0);
  for (const { headers } of answers)
    assert.match(headers.get('x-request-id') ?? '', /^[\w.~-]{8,64}$/);
  return answers.map(({ status }) => status);
}

for (const [what, broken, status] of [
  ['garbage', 'GARBAGE\r\n\r\n', 400],
  [
    'a message with two framings',
    'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
  ],
  ['headers over the limit', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 400],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n', 400],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 404],
] as const) {
  test(`201 for a request with ${what} behind it, then ${status}`, async () => {
    assert.deepEqual(await statusesOf(creation(what) + broken), [201, status]);
    assert.deepEqual(await statusesOf(creation(what) + creation(`${what} too`) + broken), [
      201,
      201,
      status,
    ]);
  });
}

test('400 for a chunked body that breaks in the middle, once', async () => {
  const head = creation('chunked').replace(
    /Content-Length: \d+\r\n\r\n.*$/s,
    'Transfer-Encoding: chunked\r\n\r\n',
  );
  assert.deepEqual(await statusesOf(`${head}5\r\n{"tit\r\nzz\r\n`), [400]);
});

test('a client that is gone before its answer leaves the server alive', async () => {
  for (const text of [
    'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GARBAGE\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n',
    creation('cut'),
  ]) {
    const cut = Array.from({ length: 40 }, () => {
      const socket = connect(port, '127.0.0.1');
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket
        .on('error', () => undefined)
        .on('connect', () =>
          socket.write(text, () => setImmediate(() => socket.resetAndDestroy())),
        );
      return closed;
    });
    await Promise.all(cut);
  }
  await checkNothingLeft(server, token);
});
