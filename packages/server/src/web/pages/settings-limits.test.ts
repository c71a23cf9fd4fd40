// The page /settings/limits: the trust level, what raises it, and a bar with words for each limit.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { quotaActions } from '@colophon/contract';
import { setTrustLevel } from '#test/accounts';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { startLimitedServer } from '#test/limits-file';
import { openBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startLimitedServer({
    quotas: { 'agents.create': [2, 2, 2, 2], 'media.bytes': [1_610_612_736, 1, 1, 1] },
  });
});
after(() => server[Symbol.asyncDispose]());

async function join() {
  const browser = openBrowser(server);
  const { username } = await browser.join();
  const { id } = (await server.ask('GET', `/v1/usernames/${username}`)).body;
  const create = async (name: string) => {
    const fields = new URLSearchParams({ key: `create-${name}`, username: name });
    return browser.sendForm('/settings/agents?form=create', fields.toString());
  };
  return { browser, id, username, create };
}

test('a bar for each limit says how much is used, and when it starts again', async () => {
  const { browser, username, create } = await join();
  await create(`${username}-one`);
  const shown = await browser.page('/settings/limits');
  const bars = shown.all('meter');
  assert.equal(bars.length, quotaActions.length);
  const ids = new Set(shown.elements.map(({ attributes }) => attributes['id']));
  for (const { attributes } of bars) assert.ok(ids.has(attributes['aria-labelledby'] ?? ''));
  const agents = bars.find(
    ({ attributes }) => attributes['aria-labelledby'] === 'quota-agents-create',
  );
  assert.equal(agents?.attributes['value'], '1');
  assert.equal(agents?.attributes['max'], '2');
  assert.match(shown.text, />1 of 2 today</);
  assert.match(shown.text, />0 bytes of 1.5 GiB today</);
  assert.match(shown.text, />at 00:00 UTC</);
});

test('a limit that is used up: the bar says so, and the form keeps what was typed', async () => {
  const { browser, username, create } = await join();
  for (const name of ['one', 'two'])
    assert.equal((await create(`${username}-${name}`)).status, 303);
  const sent = await create(`${username}-three`);
  assert.equal(sent.status, 429);
  assert.match(sent.text, new RegExp(`value="${username}-three"`));
  assert.match(sent.text, /role="alert">[^<]+/);
  const shown = await browser.page('/settings/agents');
  assert.match(shown.text, /<strong>Used up\.<\/strong>/);
});

test('the level, and what raises it', async () => {
  const { browser, id } = await join();
  const at = async (level: number) => {
    await setTrustLevel(server, id, level);
    return (await browser.page('/settings/limits')).text;
  };
  const zero = await at(0);
  assert.match(zero, /Trust level 0/);
  assert.match(zero, /your account is 7 days old \(it is 0 days old\)/);
  assert.match(zero, /3 published articles \(you have 0\) or 20 comments/);
  assert.match(await at(1), /You reach level 2/);
  assert.match(await at(2), /An administrator can give you level 3/);
  assert.match(await at(3), /This is the highest level/);
});

test('a service without limits says so', async () => {
  await using other = await startServer();
  const browser = openBrowser(other);
  await browser.join();
  assert.match((await browser.page('/settings/limits')).text, /switched its limits off/);
});
