// What a profile offers to its reader: following, changing the person's own, and the settings of the person's agent.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { fetchPage, metaOf } from '#test/page';
import type { FetchedPage } from '#test/page';
import { openBrowser } from '#test/web-session';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

async function signedIn(human: Human) {
  const made = await server.ask('POST', '/v1/web-links', { token: human.token, body: {} });
  const browser = openBrowser(server);
  const secret = new URL(made.body.url).hash.slice(1);
  assert.equal((await browser.ask('POST', '/-/link', { body: { secret } })).status, 200);
  return browser;
}

/** The links of the page as their words and paths. */
function linksOf({ all }: FetchedPage): ReadonlyMap<string, string> {
  return new Map(all('a').map(({ text, attributes }) => [text, attributes['href'] ?? '']));
}

test('signed out: following and commenting lead to the same page, and back to where one was', async () => {
  const author = await server.register();
  const made = await server.published(author);
  const path = `/@${author.username}`;
  const profile = linksOf(await fetchPage(server, path));
  assert.equal(profile.get('Follow'), `/sign-in?next=${encodeURIComponent(`${path}#follow`)}`);
  const article = linksOf(await fetchPage(server, made.url));
  const next = new URL(made.url).pathname;
  assert.equal(
    article.get(`Follow @${author.username}`),
    `/sign-in?next=${encodeURIComponent(`${next}#follow`)}`,
  );
  const commenting = encodeURIComponent(`${next}#comment`);
  assert.equal(article.get('Sign in to comment'), `/sign-in?next=${commenting}`);
  const joining = linksOf(await fetchPage(server, `/sign-in?next=${commenting}`));
  assert.ok([...joining.values()].includes(`/join?next=${commenting}`), 'joining leads back too');
});

test('signed out: below a comment too, there is a way to reply to it', async () => {
  const author = await server.register();
  const made = await server.published(author);
  const { id } = await comment(server, author, made.id);
  const page = await fetchPage(server, made.url);
  const reply = page.all('a').find(({ text }) => text === 'Sign in to reply');
  const place = `${new URL(made.url).pathname}?reply=${id}#reply`;
  assert.equal(reply?.attributes['href'], `/sign-in?next=${encodeURIComponent(place)}`);
  assert.equal(reply.attributes['aria-label'], `Sign in to reply to @${author.username}`);
  assert.equal(reply.attributes['rel'], 'nofollow', 'crawlers would find one such page a comment');
  const again = await fetchPage(server, `${made.url}?reply=${id}`);
  assert.equal(again.text, page.text, 'everybody who is signed out sees the same');
});

test('the person’s own profile leads to its settings, and that of the person’s agent to the settings of the agent', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const browser = await signedIn(owner);
  const own = await browser.page(`/@${owner.username}`);
  assert.equal(linksOf(own).get('Write your first article'), '/write');
  const shown = await fetchPage(server, `/@${owner.username}`);
  assert.match(shown.text, /No articles yet\./);
  assert.doesNotMatch(shown.text, /Write your first article/);
  assert.equal(linksOf(own).get('Edit profile'), '/settings');
  const theirs = await browser.page(`/@${agent.username}`);
  assert.equal(linksOf(theirs).get('Settings of this agent'), `/settings/agents/${agent.username}`);
  for (const { text } of [own, theirs])
    assert.doesNotMatch(text, /Report this account|id="follow"/);
});

test('the publish page names its article', async () => {
  const author = await server.register();
  const { id } = await server.published(author, { title: 'Moss' });
  const page = await (await signedIn(author)).page(`/write/${id}/publish`);
  assert.match(page.text, /<title>Publish: Moss · /);
  assert.equal(page.all('h1')[0]?.text, 'Publish');
});

test('the description of a long profile ends with a whole character', async () => {
  const person = await server.register();
  const body = { bio: `a${'😀'.repeat(400)}` };
  await server.ask('PATCH', `/v1/principals/${person.id}`, { token: person.token, body });
  const { all } = await fetchPage(server, `/@${person.username}`);
  const metas = all('meta').map(({ attributes }) => attributes);
  const description = metas.find(({ name }) => name === 'description')?.['content'];
  assert.equal(description, `a${'😀'.repeat(149)}`);
});

test('a profile without a bio says whose page it is; one without a name has its username once', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const shown = await fetchPage(server, `/@${owner.username}`);
  const words = `Articles by @${owner.username}, a human, on Colophon.`;
  assert.equal(metaOf(shown, 'description'), words);
  assert.equal(metaOf(shown, 'og:description'), words);
  const factsOf = ({ all }: FetchedPage) =>
    all('p').find(({ attributes }) => attributes['class'] === 'meta')?.text;
  assert.equal(factsOf(shown), 'Human');
  const bot = await fetchPage(server, `/@${agent.username}`);
  const run = `, an AI agent run by @${owner.username}, on Colophon.`;
  assert.ok(metaOf(bot, 'description')?.endsWith(run));
  const body = { display_name: 'Ada', bio: 'Writes about moss.' };
  await server.ask('PATCH', `/v1/principals/${owner.id}`, { token: owner.token, body });
  const named = await fetchPage(server, `/@${owner.username}`);
  assert.equal(metaOf(named, 'description'), 'Writes about moss.');
  assert.equal(factsOf(named), `@${owner.username} Human`);
});

test('every page of the settings leads to the person’s own profile and articles', async () => {
  const owner = await server.register();
  const links = linksOf(await (await signedIn(owner)).page('/settings'));
  assert.equal(links.get('Your profile'), `/@${owner.username}`);
  assert.equal(links.get('Your articles'), '/articles');
});
