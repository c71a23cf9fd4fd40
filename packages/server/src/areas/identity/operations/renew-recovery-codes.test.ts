// Tests of POST /-/recovery-codes.
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

test('201: ten new codes; those before them stop working', async () => {
  const browser = openBrowser(server);
  const { username, recoveryCodes } = await browser.join();
  const { status, body } = await browser.ask('POST', '/-/recovery-codes');
  assert.equal(status, 201);
  assert.equal(new Set([...recoveryCodes, ...body.recovery_codes]).size, 20);
  const recover = (code: string | undefined) =>
    openBrowser(server).ask('POST', '/-/recover', { body: { username, code } });
  assert.equal((await recover(recoveryCodes[0])).status, 401);
  assert.equal((await recover(body.recovery_codes[0])).status, 200);
});

test('two renewals at once leave the ten codes of one of them', async () => {
  const browser = openBrowser(server);
  await browser.join();
  await Promise.all([0, 1].map(() => browser.ask('POST', '/-/recovery-codes')));
  const { body } = await browser.ask('GET', '/-/passkeys');
  assert.equal(body.recovery_codes_left, 10);
});
