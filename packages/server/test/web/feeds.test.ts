// Feeds: read by parsers that did not write them, whatever the articles contain.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extractFromJson } from '@extractus/feed-extractor';
import RssParser from 'rss-parser';
import { createAgent } from '#test/agents';
import { comment, reply } from '#test/comments';
import { untilPlaced } from '#test/feeds';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { fetchPage } from '#test/page';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
let agent: Human;
let first: Response['body'];
let second: Response['body'];

const nasty = 'Böse ]]> <b>&amp; \u0001\u000b\ufffe “it” 𝒜';
/** Titles are HTML there; feed-readers.test.ts has what readers show of them. */
const written = 'Böse ]]&gt; &lt;b&gt;&amp;amp; \ufffd\ufffd\ufffd “it” 𝒜';
const parser = new RssParser({
  customFields: { item: ['author', 'id', 'dc:language', 'content:encoded'] },
});

before(async () => {
  author = await server.register();
  agent = await createAgent(server, author);
  first = await server.published(author, {
    title: 'The first',
    content: '# Top\n\nSome *text* to [the top](#top) ]]> and on.',
    language: 'de',
    metadata: { topics: ['Deep Sea'] },
  });
  second = await server.published(agent, {
    title: nasty,
    content: `A text ${nasty}`,
    language: 'en',
  });
  const topic = async () => (await fetchPage(server, '/topics/deep-sea')).status === 200;
  await until('the topic is there', topic);
});

async function feedAt(path: string) {
  const page = await fetchPage(server, path);
  assert.equal(page.status, 200, path);
  return page;
}

for (const format of ['atom', 'rss'] as const) {
  test(`200 ${format}: another parser reads every entry of it`, async () => {
    const { text, headers } = await feedAt(`/feed.${format}`);
    assert.equal(headers.get('content-type'), `application/${format}+xml; charset=utf-8`);
    assert.equal(headers.get('access-control-allow-origin'), '*');
    const feed = await parser.parseString(text);
    assert.equal(feed.items.length, 2);
    const [newest, oldest] = feed.items;
    assert.equal(newest?.title, written);
    assert.equal(newest?.link, second.url);
    assert.equal(oldest?.link, first.url);
    assert.equal(feed.feedUrl, `${server.baseUrl}/feed.${format}`);
    const html = oldest?.['content:encoded'] ?? oldest?.content;
    assert.match(html, /<h2 id="md-top">Top<\/h2>/);
    assert.ok(html.includes(`href="${first.url}#md-top"`), 'addresses are whole');
    assert.ok(html.includes(']]&gt; and on'));
    const by = format === 'rss' ? newest?.creator : newest?.['author'];
    assert.match(String(by), /\(AI agent\)$/);
    assert.match(text, /xml:lang="de"|<dc:language>de</);
  });
}

test('200 json: another parser reads it too', async () => {
  const { text, headers } = await feedAt('/feed.json');
  assert.equal(headers.get('content-type'), 'application/feed+json; charset=utf-8');
  const feed = JSON.parse(text);
  assert.equal(feed.version, 'https://jsonfeed.org/version/1.1');
  assert.equal(feed.items[1].language, 'de');
  assert.equal(feed.items[0].title, nasty);
  assert.match(feed.items[0].authors[0].name, /\(AI agent\)$/);
  assert.match(feed.items[1].content_html, /<em>text<\/em>/);
  const read = extractFromJson(feed);
  assert.deepEqual(
    read.entries?.map(({ link }) => link),
    [second.url, first.url],
  );
});

test('200 of a participant and of a topic: theirs only', async () => {
  for (const path of [`/@${author.username}/feed.atom`, '/topics/deep-sea/feed.atom']) {
    const feed = await parser.parseString((await feedAt(path)).text);
    assert.deepEqual(
      feed.items.map(({ link }) => link),
      [first.url],
      path,
    );
  }
  const nobody = await server.register();
  const empty = await feedAt(`/@${nobody.username}/feed.rss`);
  assert.deepEqual((await parser.parseString(empty.text)).items, []);
});

test('200 an entry stays itself under a new title, and says when it was revised', async () => {
  const made = await server.published(author, { title: 'Before' });
  const ids = async () => {
    const { text } = await feedAt(`/@${author.username}/feed.json`);
    const items = JSON.parse(text).items as { id: string; title: string; date_modified: string }[];
    return items.find(({ id }) => id.endsWith(made.id));
  };
  const old = await ids();
  const revised = await server.ask('POST', `/v1/articles/${made.id}/revisions`, {
    token: author.token,
    key: true,
    body: { title: 'After', content: 'Other', expected_revision_id: made.revision_id },
  });
  const body = { revision_id: revised.body.revision_id };
  await server.ask('POST', `/v1/articles/${made.id}/publish`, {
    token: author.token,
    key: true,
    body,
  });
  const now = await ids();
  assert.equal(old?.title, 'Before');
  assert.equal(now?.title, 'After');
  assert.equal(now.id, old.id);
  assert.ok(now.date_modified > old.date_modified);
});

test('304 what did not change', async () => {
  await untilPlaced(server);
  for (const format of ['atom', 'rss', 'json']) {
    const { headers } = await feedAt(`/feed.${format}`);
    const tag = { 'if-none-match': headers.get('etag') ?? '' };
    assert.equal((await fetchPage(server, `/feed.${format}`, tag)).status, 304, format);
  }
});

test('200 comments: the newest that show, each with what it answers', async () => {
  const noted = 'One *comment*[^1]\n\n[^1]: A note.';
  const one = await comment(server, author, first.id, { content: noted });
  const two = await reply(server, agent, one.id, { content: `Two ${nasty}` });
  const three = await comment(server, author, first.id, { content: 'Three' });
  await server.ask('DELETE', `/v1/comments/${three.id}`, { token: author.token });
  const { text } = await feedAt(`${first.url}/comments.atom`);
  const feed = await parser.parseString(text);
  assert.deepEqual(
    feed.items.map(({ id }) => id),
    [two.id, one.id].map((id) => `${server.baseUrl}/v1/comments/${id}`),
  );
  assert.match(feed.items[1]?.content ?? '', /<em>comment<\/em>/);
  // A reader of feeds shows the note elsewhere than on the page.
  const toNote = new RegExp(`href="${server.baseUrl}/comments/${one.id}#[^"]*md:note-1"`);
  assert.match(feed.items[1]?.content ?? '', toNote);
  assert.match(text, new RegExp(`in-reply-to[^>]*/v1/comments/${one.id}`));
  const there = await fetchPage(server, feed.items[0]?.link ?? '');
  assert.match(there.headers.get('location') ?? '', new RegExp(`#comment-${two.id}$`));
});

test('200 a text too long for a feed is represented by its summary', async () => {
  const writer = await server.register();
  const made = await server.published(writer, { content: `Begin.\n\n${'word '.repeat(50_000)}` });
  const { text } = await feedAt(`/@${writer.username}/feed.json`);
  const [item] = JSON.parse(text).items;
  assert.equal(item.url, made.url);
  assert.equal(item.content_html, undefined);
  assert.match(item.content_text, /^Begin\./);
});

test('404 and 410: as the pages', async () => {
  assert.equal((await fetchPage(server, '/@nobody-at-all/feed.atom')).status, 404);
  assert.equal((await fetchPage(server, '/topics/no-such-thing/feed.json')).status, 404);
  assert.equal((await fetchPage(server, '/feed.xml')).status, 404);
  const made = await server.published(author);
  await server.ask('DELETE', `/v1/articles/${made.id}`, { token: author.token });
  assert.equal((await fetchPage(server, `${made.url}/comments.atom`)).status, 410);
});

test('texts from right to left say so: readers of feeds have no style sheet of ours', async () => {
  const writer = await server.register();
  const hebrew = await server.published(writer, {
    title: 'GPT-5 בעברית',
    content: 'iPhone 17 יצא השבוע, וזה מה שחשבתי.',
    language: 'he',
  });
  await server.published(writer, { title: 'English', content: 'English.', language: 'en' });
  await comment(server, writer, hebrew.id, { content: 'תודה!' });
  const list = JSON.parse((await feedAt(`/@${writer.username}/feed.json`)).text).items;
  const texts = list.map((item: { content_html: string }) => item.content_html);
  assert.deepEqual(texts, [
    '<p>English.</p>\n',
    '<div dir="rtl"><p dir="rtl">iPhone 17 יצא השבוע, וזה מה שחשבתי.</p>\n</div>',
  ]);
  const { text } = await feedAt(`${new URL(hebrew.url).pathname}/comments.atom`);
  assert.ok(text.includes('<div dir="rtl"><p>תודה!</p>\n</div>'), text);
});
