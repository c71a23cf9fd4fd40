// Tests of POST /-/passkeys/begin.
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

test('200: options that exclude the passkeys that the account has', async () => {
  const browser = openBrowser(server);
  const { username, passkey } = await browser.join();
  const { status, body } = await browser.ask('POST', '/-/passkeys/begin');
  assert.equal(status, 200);
  assert.equal(body.options.user.name, username);
  assert.deepEqual(
    body.options.excludeCredentials.map(({ id }: { id: string }) => id),
    [passkey.id],
  );
});

test('401 unauthenticated: without a session', async () => {
  assert.equal((await openBrowser(server).ask('POST', '/-/passkeys/begin')).status, 401);
});
