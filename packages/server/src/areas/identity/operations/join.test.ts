// Tests of POST /-/join.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { openAuthenticator } from '#test/authenticator';
import type { Departure, Options } from '#test/authenticator';
import { freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

async function begin(username: string) {
  const browser = openBrowser(server);
  const { body } = await browser.ask('POST', '/-/join/begin', { body: { username } });
  return { browser, ...(body as { ceremony_id: string; options: Options }) };
}

test('201: an account with a passkey, ten recovery codes and a session', async () => {
  const browser = openBrowser(server);
  const { username, recoveryCodes } = await browser.join();
  assert.equal(new Set(recoveryCodes).size, 10);
  assert.match(recoveryCodes[0] ?? '', /^(?:[0-9A-Z]{5}-){3}[0-9A-Z]{5}$/);
  const { body } = await browser.ask('GET', '/-/sessions');
  const shown = body.items.map((one: { device: string; network: string; current: boolean }) => [
    one.device,
    one.network,
    one.current,
  ]);
  assert.deepEqual(shown, [['Firefox on Linux', '127.0.0.0/24', true]]);
  const { body: principal } = await server.ask('GET', `/v1/usernames/${username}`);
  assert.equal(principal.kind, 'human');
});

test('secrets are stored as hashes only', async () => {
  const browser = openBrowser(server);
  const { recoveryCodes } = await browser.join();
  const secret = (browser.cookie() ?? '').split('=')[1] ?? '';
  assert.equal(secret.length, 46);
  const rows = await server.db.rows(sql<{ text: string }>`
    select (s.*)::text as text
    from sessions s
    union all
    select (r.*)::text
    from recovery_codes r`);
  const [code = ''] = recoveryCodes;
  const secrets = [secret, code, code.replaceAll('-', '')].flatMap((one) => [
    one,
    Buffer.from(one).toString('hex'),
  ]);
  for (const { text } of rows)
    for (const one of secrets) assert.ok(!text.includes(one), 'a secret is stored as it is');
});

test('the cookie is out of reach of scripts and of other sites', async () => {
  const { browser, ceremony_id, options } = await begin(freshName());
  const credential = openAuthenticator(server.baseUrl).create(options);
  const { headers } = await browser.ask('POST', '/-/join', { body: { ceremony_id, credential } });
  const cookie = headers.get('set-cookie') ?? '';
  for (const part of ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Expires='])
    assert.ok(cookie.includes(`; ${part}`), cookie);
  assert.ok(!cookie.includes('Domain'), cookie);
});

test('422 validation-failed: what an honest browser on this site does not send', async () => {
  const departures: Readonly<Record<string, Departure>> = {
    'another origin': { origin: 'https://elsewhere.example' },
    'another host': { host: 'elsewhere.example' },
    'another challenge': { challenge: 'AAAA' },
    'another ceremony': { type: 'webauthn.get' },
    'a frame of another site': { crossOrigin: true },
    'a user who was not verified': { userVerified: false },
    'a user who was not present': { userPresent: false },
    'certificates of Android': { format: 'android-key' },
    'certificates of SafetyNet': { format: 'android-safetynet' },
    'certificates of Apple': { format: 'apple' },
    'certificates of a maker': { format: 'packed' },
    'an id without bytes': { idBytes: 0 },
    'an id that is too long': { idBytes: 4_000 },
  };
  for (const [name, departure] of Object.entries(departures)) {
    const username = freshName();
    const { browser, ceremony_id, options } = await begin(username);
    const credential = openAuthenticator(server.baseUrl).create(options, departure);
    const answer = await browser.ask('POST', '/-/join', { body: { ceremony_id, credential } });
    assert.equal(answer.status, 422, name);
    assert.equal(answer.body.errors[0].pointer, '/credential', name);
    const { status } = await server.ask('GET', `/v1/usernames/${username}`);
    assert.equal(status, 404, `${name}: an account was made`);
  }
});

test('422 validation-failed: an answer that is not a credential at all', async () => {
  for (const credential of [
    {},
    { id: 1 },
    { id: 'a', response: null },
    { response: { clientDataJSON: 7 } },
  ]) {
    const { browser, ceremony_id } = await begin(freshName());
    const { status } = await browser.ask('POST', '/-/join', { body: { ceremony_id, credential } });
    assert.equal(status, 422, JSON.stringify(credential));
  }
});

test('a challenge is for one use: of two requests with one answer, one makes an account', async () => {
  const { browser, ceremony_id, options } = await begin(freshName());
  const credential = openAuthenticator(server.baseUrl).create(options);
  const both = await Promise.all(
    [0, 1].map(() => browser.ask('POST', '/-/join', { body: { ceremony_id, credential } })),
  );
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((one, other) => one - other),
    [201, 422],
  );
});

test('of two people who join under one name at once, one gets it', async () => {
  const username = freshName();
  const both = await Promise.all([begin(username), begin(username)]);
  const answers = await Promise.all(
    both.map(({ browser, ceremony_id, options }) => {
      const credential = openAuthenticator(server.baseUrl).create(options);
      return browser.ask('POST', '/-/join', { body: { ceremony_id, credential } });
    }),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [201, 409],
  );
});

test('transports that are not words are left out', async () => {
  const { browser, ceremony_id, options } = await begin(freshName());
  const transports = ['usb', ['nfc'], null, true, 'x'.repeat(50)];
  const credential = openAuthenticator(server.baseUrl).create(options, { transports });
  const { status } = await browser.ask('POST', '/-/join', { body: { ceremony_id, credential } });
  assert.equal(status, 201);
  const { body } = await browser.ask('POST', '/-/check/begin');
  assert.deepEqual(body.options.allowCredentials[0].transports, ['usb']);
});
