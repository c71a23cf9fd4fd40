// Tests of POST /-/sign-in/begin.
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

test('200: a fresh challenge each time, for any passkey of this site', async () => {
  const browser = openBrowser(server);
  const both = await Promise.all([0, 1].map(() => browser.ask('POST', '/-/sign-in/begin')));
  const challenges = both.map(({ status, body }) => {
    assert.equal(status, 200);
    assert.deepEqual(body.options.allowCredentials, []);
    assert.equal(body.options.userVerification, 'required');
    return body.options.challenge;
  });
  assert.notEqual(challenges[0], challenges[1]);
});
