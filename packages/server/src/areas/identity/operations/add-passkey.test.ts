// Tests of POST /-/passkeys.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openAuthenticator } from '#test/authenticator';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

test('201: a second passkey, named after the browser, signs in as well', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const second = openAuthenticator(server.baseUrl);
  const { status, body } = await browser.addPasskey(second);
  assert.deepEqual([status, body.name], [201, 'Firefox on Linux']);
  const { body: signedIn } = await openBrowser(server).signIn(second);
  assert.equal(signedIn.passkeys, 2);
});

test('409 conflict: a passkey that the account has already', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  const { status, body } = await browser.addPasskey(passkey);
  assert.equal(status, 409);
  assert.match(body.detail, /already/);
});

test('409 conflict: more than twenty, even when the last two are added at once', async () => {
  const browser = openBrowser(server);
  await browser.join();
  const add = () => browser.addPasskey(openAuthenticator(server.baseUrl));
  for (let count = 1; count < 19; count += 1) assert.equal((await add()).status, 201);
  const statuses = (await Promise.all([add(), add(), add()])).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((one, other) => one - other),
    [201, 409, 409],
  );
});

test('an account that was registered by the API and has a passkey is not removed as unused', async () => {
  const human = await server.register();
  const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  const browser = openBrowser(server);
  await browser.ask('POST', '/-/link', { body: { secret: new URL(body.url).hash.slice(1) } });
  await browser.addPasskey(openAuthenticator(server.baseUrl));
  const row = await server.db.first(sql<{ unused: boolean }>`
    select unused
    from principals
    where bucket = ${bucketOf(human.id)} and id = ${human.id}`);
  assert.equal(row?.unused, false);
});
