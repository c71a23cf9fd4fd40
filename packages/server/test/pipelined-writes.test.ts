// Pipelined writes: each begins after the answer to the one before it, and none behind the last answer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshKey, startServer } from './harness.ts';
import { assertRefused, sendRaw } from './raw-request.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const human = await server.register();
const patienceMs = 5_000;

const json = JSON.stringify({ title: 'T', content: 'C' });
function creation(token: string): string {
  const head = [
    'POST /v1/articles HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${freshKey()}`,
    'Content-Type: application/json',
    `Content-Length: ${json.length}`,
  ];
  return [...head, '', json].join('\r\n');
}
const drafts = async () =>
  (await server.ask('GET', '/v1/articles?status=draft', { token: human.token })).body.items.length;

test('a write behind a write begins after its answer: a token that revokes itself last has done all before', async () => {
  const { body } = await server.ask('POST', '/v1/tokens', {
    token: human.token,
    key: true,
    body: { principal_id: human.id, name: 'short-lived' },
  });
  const revocation = `DELETE /v1/tokens/${body.id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${body.token}\r\nConnection: close\r\n\r\n`;
  const { answers } = await sendRaw(server, creation(body.token) + revocation, patienceMs);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 204],
  );
});

test('nothing behind an answer with Connection: close is performed', async () => {
  const before = await drafts();
  const upload = `PUT /v1/media/${human.id}/content HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${human.token}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`;
  const exchange = await sendRaw(server, upload + creation(human.token), patienceMs);
  assertRefused(exchange, 'invalid-request');
  assert.equal(await drafts(), before);
});
