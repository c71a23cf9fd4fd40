// Tests of POST /-/check/begin.
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

test('200: a challenge for the passkeys of the account, and no others', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  await openBrowser(server).join();
  const { status, body } = await browser.ask('POST', '/-/check/begin');
  assert.equal(status, 200);
  assert.deepEqual(
    body.options.allowCredentials.map(({ id }: { id: string }) => id),
    [passkey.id],
  );
});

test('401 unauthenticated: without a session', async () => {
  const { status, body } = await openBrowser(server).ask('POST', '/-/check/begin');
  assert.equal(status, 401);
  assert.match(body.detail, /Sign in/);
});
