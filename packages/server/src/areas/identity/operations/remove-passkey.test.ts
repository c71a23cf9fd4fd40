// Tests of DELETE /-/passkeys/{id}.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openAuthenticator } from '#test/authenticator';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const idsOf = async (browser: ReturnType<typeof openBrowser>): Promise<string[]> => {
  const { body } = await browser.ask('GET', '/-/passkeys');
  return body.items.map(({ id }: { id: string }) => id);
};

test('204: the passkey no longer signs in', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  await browser.addPasskey(openAuthenticator(server.baseUrl));
  const [first = ''] = await idsOf(browser);
  assert.equal((await browser.ask('DELETE', `/-/passkeys/${first}`)).status, 204);
  assert.equal((await openBrowser(server).signIn(passkey)).status, 401);
});

test('204: what another session confirmed with the passkey no longer counts', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  const taken = openBrowser(server);
  assert.equal((await taken.signIn(passkey)).status, 200);
  const own = openAuthenticator(server.baseUrl);
  assert.equal((await browser.addPasskey(own)).status, 201);
  const [first = ''] = await idsOf(browser);
  assert.equal((await browser.ask('DELETE', `/-/passkeys/${first}`)).status, 204);

  const { status, body } = await taken.addPasskey(openAuthenticator(server.baseUrl));
  assert.equal(status, 403, JSON.stringify(body));
  assert.equal(body.passkey_check, true);
  const again = await browser.addPasskey(openAuthenticator(server.baseUrl));
  assert.equal(again.status, 201, 'the session that removed it stays confirmed');
});

test('409 conflict: the last one stays, even when the last two are removed at once', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const [only = ''] = await idsOf(browser);
  const { status, body } = await browser.ask('DELETE', `/-/passkeys/${only}`);
  assert.equal(status, 409);
  assert.match(body.detail, /Add another/);
  await browser.addPasskey(openAuthenticator(server.baseUrl));
  const both = await Promise.all(
    (await idsOf(browser)).map((id) => browser.ask('DELETE', `/-/passkeys/${id}`)),
  );
  assert.deepEqual(
    both.map((one) => one.status).toSorted((one, other) => one - other),
    [204, 409],
  );
  assert.equal((await idsOf(browser)).length, 1);
});

test('404 not-found: the passkey of somebody else', async () => {
  const other = openBrowser(server);
  await other.join();
  const [theirs = ''] = await idsOf(other);
  const browser = openBrowser(server);
  await browser.join();
  assert.equal((await browser.ask('DELETE', `/-/passkeys/${theirs}`)).status, 404);
});
