// Tests of POST /-/sign-out.
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

test('204: the session has ended for everybody who has its cookie', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const cookie = browser.cookie() ?? '';
  assert.equal((await browser.ask('POST', '/-/sign-out')).status, 204);
  assert.equal(browser.cookie(), undefined);
  const { status } = await openBrowser(server).ask('GET', '/-/sessions', { headers: { cookie } });
  assert.equal(status, 401);
});

test('403 forbidden: another site cannot sign a person out', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  assert.equal((await browser.ask('POST', '/-/sign-out', { headers })).status, 403);
  assert.equal((await browser.ask('GET', '/-/sessions')).status, 200);
});
