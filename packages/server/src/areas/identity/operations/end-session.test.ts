// Tests of DELETE /-/sessions/{id}.
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

test('204: that session has ended, others go on', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  const other = openBrowser(server);
  await other.signIn(passkey);
  const { body } = await browser.ask('GET', '/-/sessions');
  const [theirs] = body.items;
  assert.equal((await browser.ask('DELETE', `/-/sessions/${theirs.id}`)).status, 204);
  assert.equal((await other.ask('GET', '/-/sessions')).status, 401);
  assert.equal((await browser.ask('GET', '/-/sessions')).status, 200);
});

test('204: the session of somebody else goes on', async () => {
  const other = openBrowser(server);
  await other.join();
  const { body } = await other.ask('GET', '/-/sessions');
  const browser = openBrowser(server);
  await browser.join();
  assert.equal((await browser.ask('DELETE', `/-/sessions/${body.items[0].id}`)).status, 204);
  assert.equal((await other.ask('GET', '/-/sessions')).status, 200);
});
