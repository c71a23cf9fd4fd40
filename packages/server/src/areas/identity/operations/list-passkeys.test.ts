// Tests of GET /-/passkeys.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

test('200: the passkeys with their last use, and the recovery codes that are left', async () => {
  const browser = openBrowser(server);
  await browser.join();
  await openBrowser(server).join();
  const { status, body } = await browser.ask('GET', '/-/passkeys');
  assert.equal(status, 200);
  assert.equal(body.recovery_codes_left, 10);
  assert.equal(body.items.length, 1);
  const [passkey] = body.items;
  assert.equal(passkey.name, 'Firefox on Linux');
  assert.ok(Date.parse(passkey.last_used_at) > 0);
});

test('401 unauthenticated: a token is not a session', async () => {
  const { token } = await server.register();
  assert.equal((await server.ask('GET', '/-/passkeys', { token })).status, 401);
});
