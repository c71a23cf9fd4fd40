// A session that a link opened can do no more than the token that made the link, and ends with it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ordinaryScopes, scopes as allScopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeToken } from '#test/accounts';
import { openAuthenticator } from '#test/authenticator';
import { startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const without = (scope: Scope) => ordinaryScopes.filter((one) => one !== scope);

async function linkOf(token: string): Promise<string> {
  const { status, body } = await server.ask('POST', '/v1/web-links', { token, body: {} });
  assert.equal(status, 201, JSON.stringify(body));
  return new URL(body.url).hash.slice(1);
}

async function openWith(token: string) {
  const browser = openBrowser(server);
  const { status } = await browser.ask('POST', '/-/link', {
    body: { secret: await linkOf(token) },
  });
  assert.equal(status, 200);
  return browser;
}

async function revoke(human: Human, token: string): Promise<void> {
  const { body } = await server.ask('GET', '/v1/tokens', { token: human.token });
  const own = body.items.find(({ prefix }: { prefix: string }) => token.startsWith(prefix));
  const path = `/v1/tokens/${own.id}`;
  assert.equal((await server.ask('DELETE', path, { token: human.token })).status, 204);
}

test('the session has the scopes of the token, and every ordinary one after a passkey check', async () => {
  const human = await server.register();
  const passkey = openAuthenticator(server.baseUrl);
  assert.equal((await (await openWith(human.token)).addPasskey(passkey)).status, 201);
  const { url } = await server.published(human);
  const weak = await openWith(await storeToken(server, human.id, ['profile:write']));
  const comment = () =>
    weak.sendForm(`${new URL(url).pathname}?form=comment`, 'key=0123456789&comment=Mine&stance=');
  const refused = await comment();
  assert.equal(refused.status, 403);
  assert.match(refused.text, /comments:write/);
  assert.equal((await weak.check(passkey)).status, 204);
  assert.equal((await comment()).status, 303);
});

test('the first passkey needs a token with every scope of the account, and without an end', async () => {
  const tokens: readonly (readonly [string, readonly Scope[], number | undefined, RegExp])[] = [
    ['one scope', ['profile:write'], undefined, /lacks/],
    ['all but one', without('media:write'), undefined, /lacks media:write\./],
    ['all, but it expires', ordinaryScopes, 3_600_000, /expires/],
  ];
  const human = await server.register();
  for (const [what, scopes, lasts, reason] of tokens) {
    const end = lasts === undefined ? undefined : new Date(Date.now() + lasts);
    const browser = await openWith(await storeToken(server, human.id, scopes, end));
    const { status, body } = await browser.addPasskey(openAuthenticator(server.baseUrl));
    assert.equal(status, 403, what);
    assert.match(body.detail, reason, what);
  }
  const moderator = await server.register();
  await storeToken(server, moderator.id, allScopes);
  const ordinary = await openWith(moderator.token);
  const { status, body } = await ordinary.addPasskey(openAuthenticator(server.baseUrl));
  assert.equal(status, 403);
  assert.match(body.detail, /lacks admin:/);
  const whole = await openWith(await storeToken(server, moderator.id, allScopes));
  assert.equal((await whole.addPasskey(openAuthenticator(server.baseUrl))).status, 201);
});

test('401 for the link and the session of a token that was revoked or has expired', async () => {
  const human = await server.register();
  const revoked = await storeToken(server, human.id, ordinaryScopes);
  const [unused, session] = [await linkOf(revoked), await openWith(revoked)];
  assert.equal((await session.ask('GET', '/-/sessions')).status, 200);
  await revoke(human, revoked);
  assert.equal((await session.ask('GET', '/-/sessions')).status, 401);
  const late = await openBrowser(server).ask('POST', '/-/link', { body: { secret: unused } });
  assert.equal(late.status, 401);

  const end = new Date(Date.now() + 3_600_000);
  const brief = await openWith(await storeToken(server, human.id, ordinaryScopes, end));
  assert.equal((await brief.ask('GET', '/-/sessions')).status, 200);
  await server.db.transaction((tx) =>
    tx.run(sql`
      update tokens
      set expires_at = now()
      where bucket = ${bucketOf(human.id)} and principal_id = ${human.id} and expires_at is not null`),
  );
  assert.equal((await brief.ask('GET', '/-/sessions')).status, 401);
  const { body } = await (await openWith(human.token)).ask('GET', '/-/sessions');
  assert.equal(body.items.length, 1, 'what has ended is not listed');
});

test('a session outlasts its token once a passkey confirmed it', async () => {
  const human = await server.register();
  const token = await storeToken(server, human.id, ordinaryScopes);
  const browser = await openWith(token);
  assert.equal((await browser.addPasskey(openAuthenticator(server.baseUrl))).status, 201);
  await revoke(human, token);
  assert.equal((await browser.ask('GET', '/-/sessions')).status, 200);
});

test('a first passkey and the revocation of its token at once: one comes before the other', async () => {
  for (let round = 0; round < 8; round += 1) {
    const human = await server.register();
    const token = await storeToken(server, human.id, ordinaryScopes);
    const browser = await openWith(token);
    const [added] = await Promise.all([
      browser.addPasskey(openAuthenticator(server.baseUrl)),
      revoke(human, token),
    ]);
    const isAdded = added.status === 201;
    assert.ok(isAdded || added.status === 401, JSON.stringify(added.body));
    assert.equal((await browser.ask('GET', '/-/sessions')).status, isAdded ? 200 : 401);
  }
});
