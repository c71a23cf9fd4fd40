// Bodies beyond the limit: refused on the header, or as soon as they are too long, and the refusal is read.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { assertProblem, startServer } from './harness.ts';
import { sendRaw } from './raw-request.ts';
import { until } from './throw-away-database.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const human = await server.register();
const type = 'Content-Type: application/json';

test('413 payload-too-large on the header alone, before the body was sent', async () => {
  for (const [path, size] of [
    ['/v1/humans', 65_537],
    ['/v1/humans', 10_000_000_000],
  ] as const) {
    const head = [`POST ${path} HTTP/1.1`, 'Host: a', type, `Content-Length: ${size}`, '', '{'];
    const { answers } = await sendRaw(server, head.join('\r\n'));
    assert.equal(answers[0]?.status, 413);
    assert.equal(answers[0]?.headers.get('connection'), 'close');
    assert.match(answers[0]?.body.toString() ?? '', /payload-too-large/);
  }
});

test('413 payload-too-large is read by a client that sends all of 20 MB first', async () => {
  for (const asked of [{}, { token: human.token, key: true as const }]) {
    const path = 'key' in asked ? '/v1/articles' : '/v1/humans';
    assertProblem(
      await server.ask('POST', path, { ...asked, raw: 'x'.repeat(20_000_000) }),
      'payload-too-large',
    );
  }
});

test('401 unauthenticated before a body of 20 MB is looked at', async () => {
  assertProblem(
    await server.ask('POST', '/v1/articles', { key: true, raw: 'x'.repeat(20_000_000) }),
    'unauthenticated',
  );
});

test('413 payload-too-large for chunks that never end', async () => {
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  let received = '';
  let closed = false;
  socket.on('data', (bytes) => (received += bytes.toString()));
  socket.on('error', () => undefined).on('close', () => (closed = true));
  socket.write(
    `POST /v1/humans HTTP/1.1\r\nHost: a\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  for (let n = 0; n < 8; n += 1) socket.write(chunk);
  await until('the refusal is read', () => received.includes('payload-too-large'));
  assert.match(received, /^HTTP\/1\.1 413 /);
  socket.end('0\r\n\r\n');
  await until('the connection is over', () => closed);
});
