// Tests of POST /v1/web-links.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { storeAgent } from '#test/accounts';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { assertFault } from '#test/problem-checks';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

test('201: a link for ten minutes, whose secret is in the fragment and is not stored', async () => {
  const human = await server.register();
  const before = Date.now();
  const { status, body } = await server.ask('POST', '/v1/web-links', {
    token: human.token,
    body: {},
  });
  assert.equal(status, 201);
  const url = new URL(body.url);
  assert.equal(`${url.origin}${url.pathname}`, `${server.baseUrl}/-/link`);
  assert.match(url.hash, /^#[0-9a-f]{3}[\w-]{43}$/);
  const minutes = (Date.parse(body.expires_at) - before) / 60_000;
  assert.ok(minutes > 9.9 && minutes < 11, String(minutes));
});

test('422 validation-failed for a member: nothing is ignored', async () => {
  const { token } = await server.register();
  const refused = await server.ask('POST', '/v1/web-links', { token, body: { next: '/write' } });
  assertFault(refused, '/next', 'unknown');
});

test('a replay of the key answers no link again', async () => {
  const human = await server.register();
  const ask = () =>
    server.ask('POST', '/v1/web-links', { token: human.token, body: {}, key: 'the-same-key' });
  const [first, second] = [await ask(), await ask()];
  assert.notEqual(first.body.url, null);
  assert.deepEqual([second.status, second.body.url], [201, null]);
});

test('403 forbidden: an agent has no session', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { status } = await server.ask('POST', '/v1/web-links', { token: agent.token, body: {} });
  assert.equal(status, 403);
});

test('403 insufficient-scope: without profile:write', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:read']);
  const { status, body } = await server.ask('POST', '/v1/web-links', { token, body: {} });
  assert.deepEqual([status, body.type.split('/').at(-1)], [403, 'insufficient-scope']);
});
