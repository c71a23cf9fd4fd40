// Tests of POST /-/sign-in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generateKeyPairSync } from 'node:crypto';
import { setPrincipalStatus } from '#test/accounts';
import type { Departure, Options } from '#test/authenticator';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

async function begin(browser = openBrowser(server)) {
  const { body } = await browser.ask('POST', '/-/sign-in/begin');
  return { browser, ...(body as { ceremony_id: string; options: Options }) };
}

test('200: a session of the account, without naming it', async () => {
  const { username, passkey } = await openBrowser(server).join();
  const browser = openBrowser(server);
  const { status, body } = await browser.signIn(passkey);
  assert.deepEqual([status, body], [200, { username, passkeys: 1 }]);
  const { body: sessions } = await browser.ask('GET', '/-/sessions');
  assert.equal(sessions.items.length, 2);
});

test('session fixation: a cookie that was planted never becomes a session', async () => {
  const { passkey } = await openBrowser(server).join();
  const browser = openBrowser(server);
  const planted = `colophon_session=${'0'.repeat(46)}`;
  const { ceremony_id, options } = await begin(browser);
  const answer = await browser.ask('POST', '/-/sign-in', {
    body: { ceremony_id, credential: passkey.get(options) },
    headers: { cookie: planted },
  });
  assert.equal(answer.status, 200);
  assert.notEqual(browser.cookie(), planted);
  const old = await openBrowser(server).ask('GET', '/-/sessions', { headers: { cookie: planted } });
  assert.equal(old.status, 401);
});

test('signing in again rotates the secret: the session before it has ended', async () => {
  const browser = openBrowser(server);
  const { passkey } = await browser.join();
  const first = browser.cookie() ?? '';
  await browser.signIn(passkey);
  assert.notEqual(browser.cookie(), first);
  const { status } = await openBrowser(server).ask('GET', '/-/sessions', {
    headers: { cookie: first },
  });
  assert.equal(status, 401);
});

test('422 validation-failed: forged, foreign and replayed assertions', async () => {
  const { passkey } = await openBrowser(server).join();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const departures: Readonly<Record<string, Departure>> = {
    'another origin': { origin: 'https://elsewhere.example' },
    'another host': { host: 'elsewhere.example' },
    'the challenge of another ceremony': { challenge: (await begin()).options.challenge },
    'the registration of a passkey': { type: 'webauthn.create' },
    'a frame of another site': { crossOrigin: true },
    'a user who was not verified': { userVerified: false },
    'the key of somebody else': { signedBy: privateKey },
  };
  for (const [name, departure] of Object.entries(departures)) {
    const { browser, ceremony_id, options } = await begin();
    const credential = passkey.get(options, departure);
    const { status } = await browser.ask('POST', '/-/sign-in', {
      body: { ceremony_id, credential },
    });
    assert.equal(status, 422, name);
    assert.equal(browser.cookie(), undefined, name);
  }
  const { browser, ceremony_id, options } = await begin();
  const credential = passkey.get(options);
  const send = () => browser.ask('POST', '/-/sign-in', { body: { ceremony_id, credential } });
  assert.equal((await send()).status, 200);
  assert.equal((await send()).status, 422, 'replayed');
});

test('of two requests with one assertion at once, one opens a session', async () => {
  const { passkey } = await openBrowser(server).join();
  const { ceremony_id, options } = await begin();
  const credential = passkey.get(options);
  const both = await Promise.all(
    [0, 1].map(() =>
      openBrowser(server).ask('POST', '/-/sign-in', { body: { ceremony_id, credential } }),
    ),
  );
  assert.equal(both.filter(({ status }) => status === 200).length, 1);
});

test('a counter that does not grow is that of a copy', async () => {
  const { passkey } = await openBrowser(server).join();
  assert.equal((await openBrowser(server).signIn(passkey)).status, 200);
  const { browser, ceremony_id, options } = await begin();
  const credential = passkey.get(options, { counter: 1 });
  const { status } = await browser.ask('POST', '/-/sign-in', { body: { ceremony_id, credential } });
  assert.equal(status, 422);
});

test('401 unauthenticated: a passkey of no account, of another account, of a closed account', async () => {
  const own = openBrowser(server);
  const { username, passkey } = await own.join();
  const other = await openBrowser(server).join();
  const { browser, ceremony_id, options } = await begin();
  const { body: principal } = await server.ask('GET', `/v1/usernames/${other.username}`);
  const userHandle = Buffer.from(principal.id).toString('base64url');
  for (const departure of [{ userHandle }, { userHandle: 'AAAA' }, { userHandle: '' }]) {
    const credential = passkey.get(options, departure);
    const { status } = await browser.ask('POST', '/-/sign-in', {
      body: { ceremony_id, credential },
    });
    assert.equal(status, 401, JSON.stringify(departure));
  }
  const { body: self } = await server.ask('GET', `/v1/usernames/${username}`);
  await setPrincipalStatus(server, self.id, 'closed');
  assert.equal((await openBrowser(server).signIn(passkey)).status, 401);
  assert.equal((await own.ask('GET', '/-/sessions')).status, 401, 'its session has ended too');
});

test('a suspended person signs in and reads, and confirms to be present', async () => {
  const { username, passkey } = await openBrowser(server).join();
  const { body: self } = await server.ask('GET', `/v1/usernames/${username}`);
  await setPrincipalStatus(server, self.id, 'suspended');
  const browser = openBrowser(server);
  assert.equal((await browser.signIn(passkey)).status, 200);
  assert.equal((await browser.ask('GET', '/-/passkeys')).status, 200);
  assert.equal((await browser.check(passkey)).status, 204);
  const other = await openBrowser(server).join();
  assert.equal((await browser.signIn(other.passkey)).status, 200, 'as somebody else');
});
