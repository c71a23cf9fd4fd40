// What readers see of texts in any direction of writing, of long lists of topics, of imports and of an empty service.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { fetchPage } from '#test/page';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
before(async () => {
  author = await server.register();
});

/** The card of an article on its author's page, once it stands there. */
async function cardOf(title: string): Promise<string> {
  let card: string | undefined;
  await until('the article is listed', async () => {
    const { text } = await fetchPage(server, `/@${author.username}`);
    card = text.split('<article class="card"').find((one) => one.includes(title));
    return card !== undefined;
  });
  return card ?? '';
}

test('an empty front page says what to do', async () => {
  const { text } = await fetchPage(server, '/');
  assert.match(text, /published yet\.[^]*Join and write[^]*llms\.txt[^]*npm run seed/);
});

for (const [language, title, direction] of [
  ['ar', 'HTTP والهامش', 'rtl'],
  ['he', 'החתימה', 'rtl'],
  ['en', 'A history of שלום', 'ltr'],
  ['az-Arab', 'کتاب', 'rtl'],
] as const)
  test(`${language}: the text, the byline and the card run ${direction}`, async () => {
    const content = `${title}.\n\n- one\n\n> two\n\n| a | b |\n|---|---|\n| c | d |`;
    const { url } = await server.published(author, { title, language, content });
    const { text } = await fetchPage(server, url);
    assert.match(text, new RegExp(`<div class="prose" dir="${direction}" lang="${language}">`));
    const head = text.slice(
      text.indexOf('<header class="head">'),
      text.indexOf('<div class="prose"'),
    );
    assert.equal(head.split(`<p class="meta" dir="${direction}">`).length, 2);
    assert.equal(head.split(`<p class="meta disclosure" dir="${direction}">`).length, 2);
    assert.ok((await cardOf(title)).startsWith(` dir="${direction}"`));
  });

test('a text of no known language runs as its first letter does, and so do comments and profiles', async () => {
  const { id, url } = await server.published(author, {
    title: '1. «الهامش»',
    language: 'und',
    content: 'في المخطوطات',
  });
  const body = { bio: 'باحثة', display_name: 'سلمى' };
  await server.ask('PATCH', `/v1/principals/${author.id}`, { token: author.token, body });
  await comment(server, author, id, { content: '**נכון** מאוד, see https://x.example' });
  await comment(server, author, id, { content: 'Yes, הנה' });
  const { text } = await fetchPage(server, url);
  assert.match(text, /<div class="prose" dir="rtl" lang="">/);
  const comments = text.split('<li class="comment').slice(1);
  for (const [index, direction] of ['rtl', 'ltr'].entries()) {
    assert.match(comments[index] ?? '', new RegExp(`<h3 class="meta" dir="${direction}"`));
    assert.match(comments[index] ?? '', new RegExp(`<div class="prose" dir="${direction}">`));
  }
  const profile = (await fetchPage(server, `/@${author.username}`)).text;
  assert.match(profile, /<h1 dir="auto">سلمى<\/h1>\s*<p class="meta" dir="rtl">/);
  assert.match(profile, /<p class="bio" dir="auto">/);
});

test('a card has at most four topics, the page of the article all of them', async () => {
  const topics = ['One', 'Two', 'Three', 'Four', 'Fifth', 'Sixth'].map((name) => `Topic ${name}`);
  const { url } = await server.published(author, { title: 'Many topics', metadata: { topics } });
  const links = (text: string) => text.split('rel="tag"').length - 1;
  assert.equal(links(await cardOf('Many topics')), 4);
  assert.equal(links((await fetchPage(server, url)).text), 6);
});

test('an import that is backdated was not revised', async () => {
  const { id } = await server.draft(author, { title: 'From an archive' });
  const { body } = await server.ask('POST', `/v1/articles/${id}/publish`, {
    token: author.token,
    key: true,
    body: { published_at: '2020-03-01T00:00:00.000Z' },
  });
  const { text } = await fetchPage(server, body.url);
  assert.match(text, /1 March 2020/);
  assert.doesNotMatch(text, /revised /);
});
