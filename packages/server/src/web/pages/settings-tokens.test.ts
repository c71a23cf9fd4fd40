// The page /settings/tokens without scripts: a token is shown once, in the answer to its form, and revoked.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ordinaryScopes, scopes, scopeWords } from '@colophon/contract';
import { sql } from '#database';
import { setPrincipalStatus } from '#test/accounts';
import { freshKey, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import type { SentForm, TestBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const page = '/settings/tokens';
const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

type Fields = readonly (readonly [string, string])[];

const usual: Fields = [
  ['name', 'Deploys'],
  ['scopes', 'articles:read'],
  ['scopes', 'articles:write'],
  ['expires', inDays(30)],
];

function issue(browser: TestBrowser, fields: Fields, key = freshKey(), headers = {}) {
  const sent = new URLSearchParams([['key', key], ...fields.map((pair) => [...pair])]);
  return browser.sendForm(`${page}?form=issue`, sent.toString(), headers);
}

const tokenIn = (text: string) => /clp_\w{40,}/.exec(text)?.[0];
const me = (token: string) => server.ask('GET', '/v1/me', { token });

async function join() {
  const browser = openBrowser(server);
  const person = await browser.join();
  const tokens = async () => (await browser.ask('GET', '/-/v1/tokens')).body.items;
  return { browser, ...person, tokens };
}

/** The person confirmed with the passkey an hour ago. */
async function letCheckLapse(username: string): Promise<void> {
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await server.db.transaction((tx) =>
    tx.run(sql`
      update sessions s
      set checked_at = ${hourAgo}
      from principals p
      where p.username = ${username} and s.bucket = p.bucket and s.principal_id = p.id`),
  );
}

function assertNeverStored(sent: SentForm): void {
  assert.equal(sent.headers.get('cache-control'), 'private, no-store');
  assert.equal(sent.headers.get('location'), null);
  assert.equal(sent.headers.get('set-cookie'), null);
}

test('a token is issued and shown in the answer to the form only', async () => {
  const { browser, tokens } = await join();
  assert.match((await browser.page(page)).text, /There are no tokens yet/);
  const sent = await issue(browser, usual);
  assert.equal(sent.status, 201);
  assert.match(sent.headers.get('content-type') ?? '', /text\/html/);
  assertNeverStored(sent);
  const token = tokenIn(sent.text) ?? '';
  const { body } = await me(token);
  assert.deepEqual(body.scopes, ['articles:read', 'articles:write']);
  assert.equal(body.token.expires_at, `${usual[3]?.[1]}T23:59:59.999Z`);
  const shown = await browser.page(page);
  assert.equal(tokenIn(shown.text), undefined);
  assert.match(shown.text, /Deploys/);
  assert.match(shown.text, new RegExp(`${token.slice(0, 12)}…`));
  assert.equal((await tokens()).length, 1);
});

test('the same form sent again issues nothing, and says that the value was shown', async () => {
  const { browser, tokens } = await join();
  const key = freshKey();
  const answers = await Promise.all([issue(browser, usual, key), issue(browser, usual, key)]);
  const again = await issue(browser, usual, key);
  assert.equal((await tokens()).length, 1);
  assert.equal(again.status, 201);
  assertNeverStored(again);
  assert.match(again.text, /This token was issued before/);
  assert.equal(tokenIn(again.text), undefined);
  assert.ok(
    answers.every(({ status }) => status === 201),
    'the second waits for the first',
  );
  assert.equal(answers.filter(({ text }) => tokenIn(text) !== undefined).length, 1);
});

test('a script gets the page with the token, once', async () => {
  const { browser } = await join();
  const key = freshKey();
  const json = { accept: 'application/json' };
  const sent = await issue(browser, usual, key, json);
  assert.equal(sent.status, 201);
  assert.equal(sent.headers.get('cache-control'), 'private, no-store');
  const { location, page: text } = JSON.parse(sent.text);
  assert.equal(location, `${page}#issued`);
  assert.equal((await me(tokenIn(text) ?? '')).status, 200);
  const again = await issue(browser, usual, key, json);
  assert.equal(tokenIn(again.text), undefined);
});

test('each scope of the session is explained, and none is ticked', async () => {
  const { browser } = await join();
  const { all, text } = await browser.page(page);
  const ticks = all('input').filter(({ attributes }) => attributes['name'] === 'scopes');
  assert.deepEqual(
    ticks.map(({ attributes }) => attributes['value'] ?? '').toSorted(),
    ordinaryScopes.toSorted(),
  );
  for (const { attributes } of ticks) {
    assert.equal(attributes['checked'], undefined);
    assert.ok(
      text.includes(
        scopeWords[scopes.find((one) => one === attributes['value']) ?? 'articles:read'],
      ),
    );
  }
});

test('an end on a chosen day, and none', async () => {
  const { browser, tokens } = await join();
  const day = inDays(3);
  const ends = [
    [
      ['expires', 'date'],
      ['until', day],
    ],
    [['expires', 'never']],
  ] as const;
  for (const end of ends) {
    const sent = await issue(browser, [['name', 'x'], ...end]);
    assert.equal(sent.status, 201);
  }
  const [never, dated] = await tokens();
  assert.equal(never.expires_at, null);
  assert.deepEqual(never.scopes, []);
  assert.equal(dated.expires_at, `${day}T23:59:59.999Z`);
});

test('a refused form comes back with what was typed, and the fault beside its field', async () => {
  const { browser, tokens } = await join();
  const cases: readonly (readonly [Fields, string, RegExp])[] = [
    [
      [
        ['name', ''],
        ['expires', 'never'],
      ],
      'name',
      /This must/,
    ],
    [
      [
        ['name', 'x'],
        ['expires', 'date'],
      ],
      'expires',
      /This needs a last day/,
    ],
    [
      [
        ['name', 'x'],
        ['expires', 'date'],
        ['until', '2020-01-01'],
      ],
      'expires',
      /This is in the past/,
    ],
    [
      [
        ['name', 'x'],
        ['expires', 'soon'],
      ],
      'expires',
      /This needs a last day/,
    ],
    [
      [
        ['name', 'n'.repeat(81)],
        ['expires', 'never'],
      ],
      'name',
      /This must/,
    ],
  ];
  for (const [fields, field, words] of cases) {
    const sent = await issue(browser, [...fields, ['scopes', 'media:write']]);
    assert.equal(sent.status, 422);
    const fault = new RegExp(`id="${field}-fault"[^>]*>([^<]*)`).exec(sent.text)?.[1] ?? '';
    assert.match(fault, words);
    assert.match(sent.text, /value="media:write" checked/);
    assert.match(sent.text, /<details class="new"[^>]* open/);
  }
  assert.equal((await tokens()).length, 0);
});

test('a scope that the session does not have is not given', async () => {
  const { browser, tokens } = await join();
  const sent = await issue(browser, [
    ['name', 'x'],
    ['scopes', 'admin:manage'],
    ['expires', 'never'],
  ]);
  assert.equal(sent.status, 403);
  assert.equal((await tokens()).length, 0);
});

test('without a passkey check of the last ten minutes nothing is issued', async () => {
  const { browser, username, passkey, tokens } = await join();
  await letCheckLapse(username);
  const key = freshKey();
  const sent = await issue(browser, usual, key);
  assert.equal(sent.status, 403);
  assert.match(sent.text, /role="alert">Confirm with your passkey first/);
  assert.match(sent.text, /value="Deploys"/);
  const byScript = await issue(browser, usual, key, { accept: 'application/json' });
  assert.equal(JSON.parse(byScript.text).passkey_check, true);
  assert.equal((await tokens()).length, 0);
  await browser.check(passkey);
  assert.equal((await issue(browser, usual, key)).status, 201);
});

const revoke = (browser: TestBrowser, fields: Readonly<Record<string, string>>) =>
  browser.sendForm(
    `${page}?form=revoke`,
    new URLSearchParams({ key: freshKey(), ...fields }).toString(),
  );

test('a token is revoked, alone or with all that were issued with it; twice is once', async () => {
  const { browser, tokens } = await join();
  const first = tokenIn((await issue(browser, usual)).text) ?? '';
  const [{ id, principal_id }] = await tokens();
  const child = async () =>
    (
      await server.ask('POST', '/v1/tokens', {
        token: first,
        key: true,
        body: { principal_id, name: 'child', expires_at: `${inDays(2)}T00:00:00.000Z` },
      })
    ).body.token;
  const issued = await child();
  const sent = await revoke(browser, { item: id });
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), `${page}?done=revoked#done`);
  assert.equal((await me(first)).status, 401);
  assert.equal((await me(issued)).status, 200);
  assert.equal((await revoke(browser, { item: id, with_issued: 'true' })).status, 303);
  assert.equal((await me(issued)).status, 401);
  const shown = await browser.page(`${page}?done=revoked`);
  assert.match(shown.text, /The token is revoked/);
  assert.equal(
    shown.all('form').filter(({ attributes }) => /revoke/.test(attributes['action'] ?? '')).length,
    0,
  );
});

test('somebody else’s token is not found, and stays', async () => {
  const { browser } = await join();
  const human = await server.register();
  const { body } = await me(human.token);
  const sent = await revoke(browser, { item: body.token.id });
  assert.equal(sent.status, 404);
  assert.equal((await me(human.token)).status, 200);
});

test('a suspended account issues and revokes nothing, and is told so', async () => {
  const { browser, username, tokens } = await join();
  await issue(browser, usual);
  const [{ id }] = await tokens();
  await setPrincipalStatus(
    server,
    (await server.ask('GET', `/v1/usernames/${username}`)).body.id,
    'suspended',
  );
  for (const sent of [await issue(browser, usual), await revoke(browser, { item: id })]) {
    assert.equal(sent.status, 403);
    assert.match(sent.text, /role="alert">Your account is suspended/);
  }
  assert.equal((await tokens()).length, 1);
});

test('many tokens are shown in pages', async () => {
  const { browser, tokens } = await join();
  const [, ...fields] = usual;
  for (let n = 0; n < 21; n += 1) await issue(browser, [['name', `token ${n}`], ...fields]);
  const shown = await browser.page(page);
  const next = shown.all('a').find(({ text }) => text === 'Older tokens')?.attributes['href'] ?? '';
  assert.match((await browser.page(next)).text, />token 0</);
  assert.equal((await tokens()).length, 20);
});
