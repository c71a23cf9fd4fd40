// The page /settings/close without scripts: what is counted, what is refused, and closing once for two presses.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#database';
import { setPrincipalStatus } from '#test/accounts';
import { createAgent } from '#test/agents';
import { untilTreated } from '#test/closing';
import { comment } from '#test/comments';
import { freshKey, startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

const page = '/settings/close';

function close(
  browser: TestBrowser,
  item: string,
  fields: Readonly<Record<string, string>>,
  { key = freshKey(), headers = {} } = {},
) {
  const sent = new URLSearchParams({ key, item, ...fields }).toString();
  return browser.sendForm(`${page}?form=close`, sent, headers);
}

const sure = { articles: 'pseudonymise', confirm: 'close' };

/** Somebody with a session and a token, so that works are made through the API. */
async function join() {
  const browser = openBrowser(server);
  const person = await browser.join();
  const { id } = (await server.ask('GET', `/v1/usernames/${person.username}`)).body;
  const body = { principal_id: id, name: 'all' };
  const { token } = (await browser.ask('POST', '/-/v1/tokens', { key: true, body })).body;
  const status = async () => {
    const { body: shown } = await server.ask('GET', `/v1/principals/${id}`);
    return shown.status as unknown;
  };
  return { browser, id, token, ...person, status };
}

test('signed out: the reader signs in and comes back', async () => {
  const shown = await openBrowser(server).page(page);
  assert.equal(shown.headers.get('location'), '/sign-in?next=%2Fsettings%2Fclose');
});

test('each treatment says what it does to how many works, those of agents too', async () => {
  const human = await join();
  const { browser, username } = human;
  const made = await server.published(human);
  await server.published(human);
  await server.draft(human);
  await comment(server, human, made.id);
  const agent = await createAgent(server, human);
  await server.published(agent);
  const { text } = await browser.page(page);
  const counts = text.replaceAll(/\s+/g, ' ');
  assert.match(counts, /find your 3 articles \(1 by your agents\) and one comment\./);
  assert.match(counts, /Your 3 articles \(1 by your agents\) can no longer be read/);
  assert.match(
    counts,
    /of your 3 articles \(1 by your agents\), one draft and one comment is deleted for good/,
  );
  assert.match(counts, /Your one agent stops for good, and what it wrote/);
  assert.match(counts, new RegExp(`@${username}</a> for one year`));
  assert.ok(!/name="articles"[^>]*checked/.test(text), 'nothing is chosen beforehand');
});

test('one work is said in words, and a kind of which there is none is not named', async () => {
  const human = await join();
  const { browser } = human;
  const { id } = await server.published(human);
  const counts = async () => (await browser.page(page)).text.replaceAll(/\s+/g, ' ');
  const article = await counts();
  assert.match(article, /Readers still find your one article\. A name such/);
  assert.match(article, /Your one article can no longer be read: its address says that/);
  assert.match(article, /Every text and title of your one article is deleted for good\./);
  const ticks = /<legend>.*<\/fieldset>/.exec(article)?.[0] ?? '';
  assert.ok(ticks.includes('one article'));
  assert.doesNotMatch(ticks, /comment|draft|\b1 /);
  await comment(server, human, id);
  const both = await counts();
  assert.match(both, /Readers still find your one article and one comment\. A name such/);
  assert.match(both, /Your one comment stays without your name\./);
});

test('without works there is nothing to treat', async () => {
  const { browser } = await join();
  const { text } = await browser.page(page);
  assert.match(text, /You have no articles, drafts or comments/);
  assert.match(text, /Readers still find your articles and comments\./);
});

test('a refused form comes back with what was typed, every fault beside its field', async () => {
  const { browser, id, status } = await join();
  const sent = await close(browser, id, { confirm: 'yes', reason: 'Too <b>much</b>.' });
  assert.equal(sent.status, 422);
  assert.match(sent.text, /id="articles-fault" aria-live="polite">This needs a choice\./);
  assert.match(sent.text, /id="confirm-fault" aria-live="polite">This must be the word “close”\.</);
  assert.match(sent.text, /Too &#60;b&#62;much/);
  const long = await close(browser, id, { ...sure, reason: 'r'.repeat(501) });
  assert.equal(long.status, 422);
  assert.match(long.text, /value="pseudonymise" required checked/);
  assert.match(long.text, /id="reason-fault" aria-live="polite">This must[^<]*[^.]\.</);
  assert.equal(await status(), 'active');
});

test('without a passkey check of the last ten minutes the account stays', async () => {
  const { browser, id, status } = await join();
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await server.db.transaction((tx) =>
    tx.run(sql`
      -- every bucket: a test
      update sessions
      set checked_at = ${hourAgo}
      where principal_id = ${id}`),
  );
  const sent = await close(browser, id, sure);
  assert.equal(sent.status, 403);
  assert.match(sent.text, /role="alert">Confirm with your passkey first/);
  assert.equal(await status(), 'active');
});

test('the account is closed: session and token end, and the works are treated as chosen', async () => {
  const human = await join();
  const { browser, id, token, status } = human;
  const { id: article } = await server.published(human);
  const sent = await close(browser, id, { ...sure, reason: 'Done.' });
  assert.equal(sent.status, 303);
  assert.equal(sent.headers.get('location'), '/closed');
  const shown = await browser.page('/closed');
  assert.equal(shown.status, 200);
  assert.match(shown.text, /Your account is closed/);
  assert.match(shown.text, />Sign in</, 'no one is signed in');
  assert.equal((await browser.page('/settings')).status, 303);
  assert.equal((await server.ask('GET', '/v1/me', { token })).status, 401);
  assert.equal(await status(), 'closed');
  await untilTreated(server, id);
  const { body } = await server.ask('GET', `/v1/articles/${article}`);
  assert.match(body.author.username, /^closed-/);
});

for (const articles of ['pseudonymise', 'erase']) {
  test(`sent twice, also at the same time, it closes once and says so (${articles})`, async () => {
    const { browser, id } = await join();
    const key = freshKey();
    const twice = await Promise.all(
      [1, 2].map(() => close(browser, id, { ...sure, articles }, { key })),
    );
    for (const { status, headers } of twice) {
      assert.equal(status, 303);
      assert.equal(headers.get('location'), '/closed');
    }
    const again = await close(browser, id, { ...sure, articles }, { key });
    assert.equal(again.status, 303);
    assert.equal(again.headers.get('location'), '/closed');
  });
}

test('a session that has ended closes nothing, and is not told that it did', async () => {
  const { browser, id, status } = await join();
  await browser.ask('POST', '/-/sign-out');
  const sent = await close(browser, id, sure);
  assert.equal(sent.status, 401);
  assert.match(sent.text, /Sign in again/);
  assert.equal(await status(), 'active');
});

test('the form closes the account of the session only, whatever id it names', async () => {
  const victim = await join();
  const { browser, status } = await join();
  const sent = await close(browser, victim.id, sure);
  assert.equal(sent.status, 303);
  assert.equal(await victim.status(), 'active');
  assert.equal(await status(), 'closed');
});

test('a suspended account cannot be closed, and is told so; another site closes nothing', async () => {
  const { browser, id, status } = await join();
  const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  assert.equal((await close(browser, id, sure, { headers: foreign })).status, 403);
  await setPrincipalStatus(server, id, 'suspended');
  const sent = await close(browser, id, sure);
  assert.equal(sent.status, 403);
  assert.match(sent.text, /role="alert">Your account is suspended/);
  assert.equal(await status(), 'suspended');
});

test('a suspended person reads what can be done, in place of a form that would be refused', async () => {
  const { browser, id } = await join();
  assert.match((await browser.page(page)).text, /Close my account for good/);
  await setPrincipalStatus(server, id, 'suspended');
  const { text } = await browser.page(page);
  assert.match(text, /A suspended account cannot be closed\./);
  for (const way of ['/settings/export', '/notifications?kind&#61;moderation'])
    assert.ok(text.includes(`href="${way}"`), way);
  assert.doesNotMatch(text, /form&#61;close|form=close/);
});
