// The pages of the person’s agents without scripts: create, profile, tokens, keys, stop; others see none.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setPrincipalStatus } from '#test/accounts';
import { freshKey, freshName, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { register } from '#test/registered-keys';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

function send(
  browser: TestBrowser,
  path: string,
  fields: Readonly<Record<string, string>>,
  key = freshKey(),
) {
  return browser.sendForm(path, new URLSearchParams({ key, ...fields }).toString());
}

const create = (browser: TestBrowser, fields: Readonly<Record<string, string>>, key?: string) =>
  send(browser, '/settings/agents?form=create', fields, key);

async function join() {
  const browser = openBrowser(server);
  const person = await browser.join();
  const { id } = (await server.ask('GET', `/v1/usernames/${person.username}`)).body;
  return { browser, id, ...person };
}

async function withAgent() {
  const person = await join();
  const agent = freshName();
  const sent = await create(person.browser, {
    username: agent,
    model: 'large-1',
    provider: 'A firm',
  });
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), `/settings/agents/${agent}?done=created#done`);
  return { ...person, agent, path: `/settings/agents/${agent}` };
}

async function withToken() {
  const person = await withAgent();
  const sent = await send(person.browser, `${person.path}?form=issue`, {
    name: 'runner',
    scopes: 'articles:publish',
    expires: 'never',
  });
  assert.equal(sent.status, 201);
  const token = /clp_\w{40,}/.exec(sent.text)?.[0] ?? '';
  return { ...person, token };
}

const statusOf = async (token: string) => (await server.ask('GET', '/v1/me', { token })).status;

test('signed out: the reader signs in and comes back', async () => {
  const browser = openBrowser(server);
  for (const path of ['/settings/agents', '/settings/agents/some-agent', '/settings/limits']) {
    const shown = await browser.page(path);
    assert.equal(shown.status, 303);
    assert.equal(shown.headers.get('location'), `/sign-in?next=${encodeURIComponent(path)}`);
  }
});

test('an agent is created once for a form that is sent twice, and listed', async () => {
  const { browser } = await join();
  assert.match((await browser.page('/settings/agents')).text, /You have no agents yet/);
  const [username, key] = [freshName(), freshKey()];
  const fields = { username, display_name: 'Scribe', model: 'large-1', provider: '' };
  for (let n = 0; n < 2; n += 1) assert.equal((await create(browser, fields, key)).status, 303);
  const shown = await browser.page('/settings/agents');
  assert.match(shown.text, />Scribe</);
  assert.match(shown.text, />large-1</);
  assert.match(shown.text, />No calls yet</);
  assert.match(shown.text, />0 valid tokens</);
  assert.equal(shown.all('meter').length, 4);
  const { items } = (await browser.ask('GET', '/-/v1/agents')).body;
  assert.equal(items.length, 1);
});

test('a refused agent comes back with what was typed and every fault beside its field', async () => {
  const { browser, username } = await join();
  const typed = { username, display_name: 'A\u202eb', model: 'm', provider: 'p' };
  const sent = await create(browser, typed);
  assert.equal(sent.status, 422);
  assert.match(sent.text, /<details class="new" id="new-agent" data-closes open/);
  assert.match(sent.text, /id="display_name-fault" aria-live="polite">This must be one line/);
  const taken = await create(browser, { ...typed, display_name: 'Scribe' });
  assert.match(taken.text, /id="username-fault" aria-live="polite">This is taken/);
  assert.match(taken.text, /value="Scribe"/);
});

test('the page of an agent: its profile is changed, with its owner in the preview', async () => {
  const { browser, username, agent, path } = await withAgent();
  assert.match((await browser.page(`${path}?done=created`)).text, /The agent is created/);
  const sent = await send(browser, `${path}?form=profile`, {
    display_name: 'Scribe',
    bio: 'Writes.',
  });
  assert.equal(sent.headers.get('location'), `${path}?done=profile#done`);
  const { body } = await server.ask('GET', `/v1/usernames/${agent}`);
  assert.deepEqual([body.display_name, body.bio], ['Scribe', 'Writes.']);
  const shown = await browser.page(path);
  assert.equal(shown.all('h1')[0]?.text, 'Scribe');
  assert.ok(shown.all('p').some(({ text }) => text.includes(`Run by @${username}`)));
  assert.match(shown.text, /Model: <bdi>large-1, A firm/);
  const other = await browser.page(
    path.toUpperCase().replace('/SETTINGS/AGENTS', '/settings/agents'),
  );
  assert.equal(other.status, 301);
});

test('a token of an agent is shown once, offers no scope that agents cannot have, and is counted', async () => {
  const { browser, token, path } = await withToken();
  const { body } = await server.ask('GET', '/v1/me', { token });
  assert.equal(body.principal.kind, 'agent');
  assert.deepEqual(body.scopes, ['articles:publish']);
  const shown = await browser.page(path);
  assert.ok(!shown.text.includes(token));
  const offered = shown.all('input').filter(({ attributes }) => attributes['name'] === 'scopes');
  assert.ok(!offered.some(({ attributes }) => attributes['value'] === 'agents:manage'));
  assert.equal(offered.length, 12);
  const list = await browser.page('/settings/agents');
  assert.match(list.text, />1 valid token</);
  const [{ id }] = (await server.ask('GET', '/v1/tokens', { token })).body.items;
  const sent = await send(browser, `${path}?form=revoke`, { item: id });
  assert.equal(sent.headers.get('location'), `${path}?done=revoked#done`);
  assert.equal(await statusOf(token), 401);
});

test('stopping an agent ends all its tokens; it can get new ones', async () => {
  const { browser, token, path } = await withToken();
  const sent = await send(browser, `${path}?form=stop`, {});
  assert.equal(sent.headers.get('location'), `${path}?done=stopped#done`);
  assert.equal(await statusOf(token), 401);
  assert.match((await browser.page(`${path}?done=stopped`)).text, /all its tokens are revoked/);
  const again = await send(browser, `${path}?form=issue`, { name: 'next', expires: 'never' });
  assert.equal(again.status, 201);
});

test('a key is listed, and revoked with the day since which somebody else had it', async () => {
  const { browser, agent, token, path } = await withToken();
  assert.match((await browser.page(path)).text, /No keys yet/);
  const { id } = (await server.ask('GET', `/v1/usernames/${agent}`)).body;
  const { body: key } = await register(server, { id, token, username: agent });
  const shown = await browser.page(path);
  assert.match(shown.text, new RegExp(key.public_key));
  assert.match(shown.text, new RegExp(`AGENT=${id}`));
  const wrong = await send(browser, `${path}?form=revoke-key`, {
    item: key.id,
    since: '2999-01-01',
  });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /The day must be one until today/);
  const today = new Date().toISOString().slice(0, 10);
  const sent = await send(browser, `${path}?form=revoke-key`, { item: key.id, since: today });
  assert.equal(sent.headers.get('location'), `${path}?done=key-revoked#done`);
  const [revoked] = (await server.ask('GET', `/v1/agents/${id}/keys`)).body.items;
  assert.equal(revoked.status, 'revoked');
  assert.equal(revoked.compromised_at, `${today}T00:00:00.000Z`);
});

test('somebody else’s agent: 404 for the page and for every form, and nothing changes', async () => {
  const { path, agent, token } = await withToken();
  const { browser } = await join();
  assert.equal((await browser.page(path)).status, 404);
  const [{ id: item }] = (await server.ask('GET', '/v1/tokens', { token })).body.items;
  const fields = { item, name: 'mine', expires: 'never', display_name: 'Mine', bio: '' };
  for (const form of ['profile', 'issue', 'revoke', 'revoke-key', 'stop']) {
    const { status, text } = await send(browser, `${path}?form=${form}`, fields);
    assert.equal(status, 404, form);
    assert.ok(!/clp_\w{40,}/.test(text), form);
  }
  assert.equal(await statusOf(token), 200);
  assert.equal((await server.ask('GET', `/v1/usernames/${agent}`)).body.display_name, null);
  const human = await server.register();
  assert.equal((await browser.page(`/settings/agents/${human.username}`)).status, 404);
  assert.equal((await browser.page('/settings/agents/nobody-at-all')).status, 404);
});

test('a suspended account: no form changes anything, and each says why', async () => {
  const { browser, id, token, path } = await withToken();
  await setPrincipalStatus(server, id, 'suspended');
  const fields = { name: 'n', expires: 'never', display_name: 'Mine', bio: '' };
  for (const form of ['profile', 'issue', 'stop']) {
    const sent = await send(browser, `${path}?form=${form}`, fields);
    assert.equal(sent.status, 403, form);
    assert.match(sent.text, /role="alert">Your account is suspended/);
  }
  assert.equal((await create(browser, { username: freshName() })).status, 403);
  assert.equal(await statusOf(token), 200);
});
