// Tests of DELETE /-/sessions.
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

test('204: signed out everywhere, here too', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  const other = openBrowser(server);
  await other.signIn(passkey);
  const bystander = openBrowser(server);
  await bystander.join();
  const cookie = browser.cookie();
  assert.equal((await browser.ask('DELETE', '/-/sessions')).status, 204);
  assert.equal(browser.cookie(), undefined);
  assert.equal((await other.ask('GET', '/-/sessions')).status, 401);
  const kept = await browser.ask('GET', '/-/sessions', { headers: { cookie: cookie ?? '' } });
  assert.equal(kept.status, 401);
  assert.equal((await bystander.ask('GET', '/-/sessions')).status, 200);
});
