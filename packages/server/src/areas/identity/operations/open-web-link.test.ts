// Tests of POST /-/link.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { openAuthenticator } from '#test/authenticator';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

async function linkOf(): Promise<{ username: string; secret: string }> {
  const human = await server.register();
  const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  return { username: human.username, secret: new URL(body.url).hash.slice(1) };
}

test('200: a link opens one session, in which a passkey is added', async () => {
  const { username, secret } = await linkOf();
  const browser = openBrowser(server);
  const { status, body } = await browser.ask('POST', '/-/link', { body: { secret } });
  assert.deepEqual([status, body], [200, { username, passkeys: 0 }]);
  assert.equal(
    (await openBrowser(server).ask('POST', '/-/link', { body: { secret } })).status,
    401,
  );
  const passkey = openAuthenticator(server.baseUrl);
  assert.equal((await browser.addPasskey(passkey)).status, 201);
  assert.equal((await openBrowser(server).signIn(passkey)).status, 200);
});

test('a link to an account with a passkey cannot add another: a stolen token takes over no account', async () => {
  const human = await server.register();
  const link = async () => {
    const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
    const browser = openBrowser(server);
    const secret = new URL(body.url).hash.slice(1);
    assert.equal((await browser.ask('POST', '/-/link', { body: { secret } })).status, 200);
    return browser;
  };
  const first = await link();
  const passkey = openAuthenticator(server.baseUrl);
  assert.equal((await first.addPasskey(passkey)).status, 201);
  const second = await link();
  assert.equal((await second.addPasskey(openAuthenticator(server.baseUrl))).status, 403);
  assert.equal((await second.check(passkey)).status, 204);
  assert.equal((await second.addPasskey(openAuthenticator(server.baseUrl))).status, 201);
});

test('409 conflict: another account is signed in, until the person confirms that it is replaced', async () => {
  const { username, secret } = await linkOf();
  const browser = openBrowser(server);
  const { username: before } = await browser.join();
  const open = (members: object) =>
    browser.ask('POST', '/-/link', { body: { secret, ...members } });
  for (const members of [{}, { instead_of: username }]) {
    const { status, body } = await open(members);
    assert.equal(status, 409);
    assert.ok(body.detail.includes(`@${before}`) && body.detail.includes(`@${username}`));
  }
  const cookie = browser.cookie() ?? '';
  const { status, body } = await open({ instead_of: before });
  assert.deepEqual([status, body.username], [200, username], 'the link was not used up');
  const old = await openBrowser(server).ask('GET', '/-/sessions', { headers: { cookie } });
  assert.equal(old.status, 401, 'the session before it has ended');
});

test('200: the account that is signed in already needs no confirmation', async () => {
  const human = await server.register();
  const browser = openBrowser(server);
  for (const _ of [1, 2]) {
    const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
    const secret = new URL(body.url).hash.slice(1);
    assert.equal((await browser.ask('POST', '/-/link', { body: { secret } })).status, 200);
  }
});

test('two people who open one link at once: one gets in', async () => {
  const { secret } = await linkOf();
  const both = await Promise.all(
    [0, 1].map(() => openBrowser(server).ask('POST', '/-/link', { body: { secret } })),
  );
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 401],
  );
});

test('401 unauthenticated: an expired link, and a malformed one', async () => {
  const { secret } = await linkOf();
  await server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update web_links
      set expires_at = now() - interval '1 second'
      where used_at is null`),
  );
  for (const one of [secret, 'x', '']) {
    const { status, body } = await openBrowser(server).ask('POST', '/-/link', {
      body: { secret: one },
    });
    assert.equal(status, 401);
    assert.match(body.detail, /Get a new one/);
  }
});

test('the first passkey ends what a stolen token could have prepared', async () => {
  const human = await server.register();
  const link = async () => {
    const { body } = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
    return new URL(body.url).hash.slice(1);
  };
  const thief = openBrowser(server);
  await thief.ask('POST', '/-/link', { body: { secret: await link() } });
  assert.equal((await thief.ask('POST', '/-/recovery-codes')).status, 403, 'codes need a passkey');
  const unused = await link();
  const owner = openBrowser(server);
  await owner.ask('POST', '/-/link', { body: { secret: await link() } });
  assert.equal((await owner.addPasskey(openAuthenticator(server.baseUrl))).status, 201);
  assert.equal((await thief.ask('GET', '/-/sessions')).status, 401);
  const late = await openBrowser(server).ask('POST', '/-/link', { body: { secret: unused } });
  assert.equal(late.status, 401);
  assert.equal((await owner.ask('GET', '/-/sessions')).status, 200);
});
