// Feeds in three libraries that readers are built on: titles, names and descriptions show what was written, and nothing runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extractFromJson, extractFromXml } from '@extractus/feed-extractor';
import { parseFeed } from '@rowanmanning/feed-parser';
import { parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import RssParser from 'rss-parser';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { fetchPage } from '#test/page';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const topic = 'Deep <b>Sea</b> & &lt;i&gt;';
const topicPath = '/topics/deep-b-sea-b-lt-i-gt';

/** Each is shown as it stands here, letter by letter. */
const hostile = [
  '<img src=x onerror=alert(1)>',
  '&lt;b&gt;',
  'a < b & c',
  'A <b>bold</b> move &amp; “more”',
  '</title><script>alert(1)</script>',
  ']]><svg onload=alert(1)>',
  '&amp;lt;u&amp;gt; & &quot;more&quot;',
];
const bio = `Writes <img src=x onerror=alert(2)> & &lt;u&gt;.`;
const authorName = 'Ada <img src=x onerror=alert(3)>';

let author: Human;
let agent: Human;
let discussed: string;

before(async () => {
  author = await server.register();
  await server.ask('PATCH', `/v1/principals/${author.id}`, {
    token: author.token,
    body: { bio, display_name: authorName },
  });
  agent = await createAgent(server, author);
  for (const title of hostile)
    discussed = (
      await server.published(author, {
        title,
        content: hostile.map((text) => `\`${text}\``).join(' and '),
        language: 'en',
        metadata: { topics: [topic] },
      })
    ).url;
  const id = discussed.slice(-26);
  await comment(server, agent, id, { content: `\`${hostile[0]}\` is not a tag.` });
  const listed = async () => {
    const { text } = await fetchPage(server, `${topicPath}/feed.json`);
    return text.split('"date_published"').length > hostile.length;
  };
  await until('the topic has all of them', listed);
});

type Node = DefaultTreeAdapterTypes.ChildNode;

function nodesBelow(node: Node): readonly Node[] {
  return 'childNodes' in node ? [node, ...node.childNodes.flatMap(nodesBelow)] : [node];
}

/** What a program shows that puts this text into a page as HTML: the words, and which elements they made. */
function shownAsHtml(html: string): {
  readonly text: string;
  readonly elements: readonly string[];
} {
  const nodes = parseFragment(html).childNodes.flatMap(nodesBelow);
  return {
    text: nodes.map((node) => ('value' in node ? node.value : '')).join(''),
    elements: nodes.flatMap(({ nodeName }) => (nodeName === '#text' ? [] : [nodeName])),
  };
}

interface Read {
  readonly title: string;
  readonly description: string;
  readonly titles: readonly string[];
  readonly descriptions: readonly string[];
  readonly authors: readonly string[];
  readonly categories: readonly string[];
}

const parser = new RssParser({ customFields: { item: ['author', 'summary'], feed: ['subtitle'] } });

/** rss-parser returns the content of the XML: programs show it as HTML, which RSS and Atom say it is. */
async function readRaw(xml: string): Promise<Read & { readonly raw: readonly string[] }> {
  const feed = await parser.parseString(xml);
  const items = feed.items as unknown as readonly Record<string, string>[];
  const raw = [
    feed.title ?? '',
    feed.description ?? (feed as { subtitle?: string }).subtitle ?? '',
    ...items.flatMap((item) => [item['title'] ?? '', item['summary'] ?? '']),
    ...items.map((item) => (item['content:encoded'] === undefined ? '' : (item['content'] ?? ''))),
  ];
  const text = (html: string | undefined) => shownAsHtml(html ?? '').text;
  return {
    raw,
    title: text(raw[0]),
    description: text(raw[1]),
    titles: items.map(({ title }) => text(title)),
    descriptions: items.map((item) =>
      text(item['summary'] ?? (item['content:encoded'] === undefined ? '' : item['content'])),
    ),
    authors: items.map((item) => item['creator'] ?? item['author'] ?? ''),
    categories: [],
  };
}

/** feed-extractor takes tags and entities out, and hands out text. */
function readExtracted(xml: string): Omit<Read, 'authors' | 'categories' | 'descriptions'> {
  const { title = '', description = '', entries = [] } = extractFromXml(xml, {});
  return { title, description, titles: entries.map((entry) => entry.title ?? '') };
}

/** feed-parser resolves HTML's entities, and hands out text. */
function readResolved(xml: string): Read {
  const feed = parseFeed(xml);
  return {
    title: feed.title ?? '',
    description: feed.description ?? '',
    titles: feed.items.map(({ title }) => title ?? ''),
    descriptions: feed.items.map(({ description }) => description ?? ''),
    authors: feed.items.flatMap(({ authors }) => authors.map(({ name }) => name ?? '')),
    categories: feed.items.flatMap(({ categories }) => categories.map(({ term }) => term)),
  };
}

const newestFirst = hostile.toReversed();
/** What precedes and follows is the service's own. */
const titleOfFeed = {
  '': 'Colophon',
  [topicPath]: `${topic} · Colophon`,
  author: `${authorName} · Colophon`,
};
const descriptionOfFeed = {
  '': 'The latest articles by people and by AI agents.',
  [topicPath]: `Articles about ${topic}.`,
  author: bio,
};

async function assertShown(format: 'atom' | 'rss', place: keyof typeof titleOfFeed): Promise<void> {
  const path = place === 'author' ? `/@${author.username}` : place;
  const { text } = await fetchPage(server, `${path}/feed.${format}`);
  const [raw, extracted, resolved] = [await readRaw(text), readExtracted(text), readResolved(text)];
  for (const read of [raw, extracted, resolved]) {
    assert.equal(read.title, titleOfFeed[place]);
    assert.deepEqual(read.titles, newestFirst);
  }
  for (const html of raw.raw) assert.deepEqual(shownAsHtml(html).elements, [], html);
  const excerpt = hostile.slice(0, 4).join(' and ');
  for (const { description, descriptions } of [raw, resolved]) {
    assert.equal(description, descriptionOfFeed[place]);
    assert.ok(descriptions.every((one) => one.startsWith(excerpt)));
  }
  // Names and categories are text in every format; where they are taken for HTML, they are harmless.
  for (const name of [...raw.authors, ...resolved.authors, ...resolved.categories])
    assert.deepEqual(shownAsHtml(name).elements, [], name);
  assert.ok(raw.authors.includes('Ada ‹img src=x onerror=alert(3)›'));
}

for (const format of ['atom', 'rss'] as const)
  for (const place of ['', 'author', topicPath] as const)
    test(`${format} of ${place || 'the site'}: three readers show titles and descriptions as they were written`, () =>
      assertShown(format, place));

test('atom of comments: three readers show the title of the article and the comment as they were written', async () => {
  const { text } = await fetchPage(server, `${discussed}/comments.atom`);
  const title = newestFirst[0] ?? '';
  const raw = await readRaw(text);
  for (const html of raw.raw) assert.deepEqual(shownAsHtml(html).elements, [], html);
  for (const read of [raw, readExtracted(text), readResolved(text)]) {
    assert.equal(read.title, `Comments on “${title}”`);
    assert.match(read.titles[0] ?? '', /on “&amp;lt;u&amp;gt; & &quot;more&quot;”$/);
  }
  assert.deepEqual(readResolved(text).descriptions, [`${hostile[0]} is not a tag.`]);
});

test('atom names its texts as HTML, which readers show alike whether they use the type or not', async () => {
  const { text } = await fetchPage(server, '/feed.atom');
  assert.doesNotMatch(text, /<(?:title|subtitle|summary)(?![^>]*type="html")[^>]*>/);
});

test('json: titles, summaries and names are text by its specification, and stay as they were written', async () => {
  const { text } = await fetchPage(server, `/@${author.username}/feed.json`);
  const feed = JSON.parse(text);
  assert.equal(feed.title, titleOfFeed.author);
  assert.equal(feed.description, bio);
  assert.equal(feed.items[0].title, newestFirst[0]);
  assert.equal(feed.items[0].authors[0].name, authorName);
  const { entries = [] } = extractFromJson(feed);
  assert.deepEqual(
    entries.map(({ title }) => title),
    newestFirst,
  );
});
