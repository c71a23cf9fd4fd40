// Pipelined writes: each begins after the answer to the one before it, and none behind the last answer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshKey, startServer } from './harness.ts';
import { assertRefused, sendRaw } from './raw-request.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const human = await server.register();
const patienceMs = 5_000;

const body = { title: 'T', content: 'C', language: 'en' };
const json = JSON.stringify(body);
function creation(token: string, key = freshKey()): string {
  const head = [
    'POST /v1/articles HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${json.length}`,
  ];
  return [...head, '', json].join('\r\n');
}
/** Whether a creation with this key was performed: it would be replayed, or still be in progress. */
async function wasPerformed(key: string): Promise<boolean> {
  const { status, headers } = await server.ask('POST', '/v1/articles', {
    token: human.token,
    key,
    body,
  });
  return status !== 201 || headers.has('idempotency-replayed');
}

test('a write behind a write begins after its answer: a token that revokes itself last has done all before', async () => {
  const { body: made } = await server.ask('POST', '/v1/tokens', {
    token: human.token,
    key: true,
    body: { principal_id: human.id, name: 'short-lived' },
  });
  const revocation = `DELETE /v1/tokens/${made.id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${made.token}\r\nConnection: close\r\n\r\n`;
  const { answers } = await sendRaw(server, creation(made.token) + revocation, patienceMs);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 204],
  );
});

const refused = {
  'a body without a length': `PUT /v1/media/${human.id}/content HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${human.token}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  'an unknown expectation': 'GET /v1/meta HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\n\r\n',
} as const;
const plainRead = 'GET /v1/meta HTTP/1.1\r\nHost: localhost\r\n\r\n';

for (const [what, request] of Object.entries(refused)) {
  test(`nothing behind the answer with Connection: close to ${what} is performed`, async () => {
    const key = freshKey();
    const exchange = await sendRaw(server, request + creation(human.token, key), patienceMs);
    assertRefused(exchange, 'invalid-request');
    assert.equal(await wasPerformed(key), false);
  });

  test(`nor behind ${what} after a read`, async () => {
    const key = freshKey();
    const bytes = plainRead + request + creation(human.token, key);
    const { answers } = await sendRaw(server, bytes, patienceMs);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400],
    );
    assert.equal(await wasPerformed(key), false);
  });
}
