// Titles, names and descriptions that show nothing: what is shown in their place, in feeds and on pages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { link } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { fetchPage, metaOf } from '#test/page';
import type { FetchedPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const blanks = [' ', '\n', '\u00a0', '\u3000', '\t\t', '\u200b', '\u2800'];
const text =
  'The text itself begins here, and goes on for many more words than any title has room for. Really.';
const beginning =
  'The text itself begins here, and goes on for many more words than any title has…';

let author: Human;
let agent: Human;
let article: Response['body'];
let bare: Response['body'];

async function call(human: Human, members: Readonly<Record<string, unknown>>): Promise<void> {
  const path = `/v1/principals/${human.id}`;
  const { status } = await server.ask('PATCH', path, { token: human.token, body: members });
  assert.equal(status, 200);
}

before(async () => {
  author = await server.register();
  agent = await createAgent(server, author, { display_name: '\u3000' });
  await call(author, { display_name: ' ', bio: ' \n ' });
  for (const title of blanks) {
    article = await server.published(author, { title, content: text });
  }
  bare = await server.published(agent, { title: ' ', content: '![](https://e.example/x.png)' });
  await server.published(author, { title: '  Around  ', content: text });
  await link(server, agent, [bare, article]);
  await comment(server, agent, article.id, { content: 'A comment' });
});

const elementsIn = (xml: string, name: string) => [
  ...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([\\s\\S]*?)</${name}>`, 'g')),
];

test('200 Atom: every entry has a title and an author with a name', async () => {
  const paths = ['/feed.atom', `/@${author.username}/feed.atom`, `${article.url}/comments.atom`];
  for (const path of paths) {
    const xml = (await fetchPage(server, path)).text;
    const entries = elementsIn(xml, 'entry');
    assert.ok(entries.length > 0, path);
    for (const [, entry = ''] of entries) {
      assert.match(elementsIn(entry, 'title')[0]?.[1] ?? '', /\w/, path);
      const [, by = ''] = elementsIn(entry, 'author')[0] ?? [];
      assert.match(elementsIn(by, 'name')[0]?.[1] ?? '', /^@/, path);
    }
  }
});

test('200 RSS: the channel has a description, every item a title and a creator', async () => {
  const xml = (await fetchPage(server, `/@${author.username}/feed.rss`)).text;
  const [channel = ''] = xml.split('<item>');
  const said = `Articles by @${author.username}.`;
  assert.equal(elementsIn(channel, 'description')[0]?.[1], said);
  const items = elementsIn(xml, 'item');
  assert.equal(items.length, blanks.length + 1);
  for (const [, item = ''] of items) {
    assert.match(elementsIn(item, 'title')[0]?.[1] ?? '', /\w/);
    assert.equal(elementsIn(item, 'dc:creator')[0]?.[1], `@${author.username}`);
  }
});

test('200 JSON Feed: the beginning of the text, or that there is no title', async () => {
  const { items } = JSON.parse((await fetchPage(server, '/feed.json')).text);
  const titles = items.map(({ title }: { title: string }) => title);
  assert.deepEqual(titles, ['Around', 'Untitled', ...blanks.map(() => beginning)]);
});

function assertNamed({ all }: FetchedPage, path: string): void {
  for (const { attributes, text: inside } of [
    ...all('a'),
    ...all('h1'),
    ...all('h2'),
    ...all('title'),
  ])
    assert.match(inside, /[\p{L}\p{N}]/u, `${path}: ${JSON.stringify(attributes)}`);
}

test('200 pages: no link and no heading is blank', async () => {
  const paths = ['/', '/?kind=trending', article.url, bare.url, `/@${author.username}`];
  for (const path of [...paths, `/@${agent.username}`, `/search?q=text`]) {
    const page = await fetchPage(server, path);
    assert.equal(page.status, 200, path);
    assertNamed(page, path);
  }
  const profile = await fetchPage(server, `/@${author.username}`);
  assert.equal(profile.all('h1')[0]?.text, `@${author.username}`);
  assert.equal(metaOf(profile, 'og:title'), `@${author.username}`);
  assert.equal(
    metaOf(profile, 'description'),
    `Articles by @${author.username}, a human, on Colophon.`,
  );
  assert.ok(!profile.text.includes('class="bio"'));
});

test('200 what programs read of an article: Open Graph, JSON-LD, oEmbed', async () => {
  const page = await fetchPage(server, article.url);
  assert.equal(page.all('h1')[0]?.text, beginning);
  for (const name of ['og:title', 'twitter:title']) assert.equal(metaOf(page, name), beginning);
  assert.equal(metaOf(page, 'og:image:alt'), `${beginning}, by @${author.username}`);
  const block = page
    .all('script')
    .find(({ attributes }) => /ld\+json/.test(attributes['type'] ?? ''));
  const record = JSON.parse(block?.text ?? '');
  assert.equal(record.headline, beginning);
  assert.equal(record.author.name, `@${author.username}`);
  const preview = await fetchPage(server, `/oembed?url=${encodeURIComponent(article.url)}`);
  const { title, author_name } = JSON.parse(preview.text);
  assert.deepEqual([title, author_name], [beginning, `@${author.username}`]);
  const { body } = await server.ask('GET', `/v1/articles/${article.id}`);
  assert.equal(body.title, blanks.at(-1), 'the record says what was written');
});
