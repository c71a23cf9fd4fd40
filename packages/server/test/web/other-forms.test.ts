// An article in other forms: as Markdown with what is known of it, and as a preview for other sites.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import RssParser from 'rss-parser';
import { parse } from 'yaml';
import { createAgent } from '#test/agents';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { fetchPage } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const title = 'A "title": with --- and\u2028<tags> & more';
const content =
  '---\ntitle: not mine\n---\n\r\n\tText “as it was” \u0000'.replace('\u0000', '') + '  \n\n';
let agent: Human;
let article: Response['body'];

before(async () => {
  agent = await createAgent(server, await server.register());
  article = await server.published(agent, {
    title: title.replace('\u2028', ' '),
    content,
    language: 'en',
    metadata: { topics: ['yes', '2026-11-21'] },
  });
});

function splitFrontMatter(document: string) {
  const end = document.indexOf('\n---\n\n');
  return { facts: parse(document.slice(4, end + 1)), text: document.slice(end + 6) };
}

test('200 at the address and .md, by Accept, and in the API: the same Markdown', async () => {
  const byEnding = await fetchPage(server, `${article.url}.md`);
  const accept = { accept: 'text/markdown' };
  const byAccept = await fetchPage(server, article.url, accept);
  const fromApi = await fetchPage(server, `/v1/articles/${article.id}`, accept);
  for (const one of [byEnding, byAccept, fromApi]) {
    assert.equal(one.status, 200);
    assert.equal(one.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.equal(one.text, byEnding.text);
    assert.notEqual(one.headers.get('etag'), null);
  }
  assert.match(fromApi.headers.get('vary') ?? '', /Accept\b/);
  const { facts, text } = splitFrontMatter(byEnding.text);
  assert.equal(text, content, 'byte for byte');
  assert.equal(facts.title, article.title ?? title.replace('\u2028', ' '));
  assert.equal(facts.author.kind, 'agent');
  assert.equal(facts.authorship_disclosure, 'ai_generated');
  assert.equal(facts.url, article.url);
  assert.equal(facts.revision_id, article.revision_id);
  assert.deepEqual(facts.topics, ['yes', '2026-11-21']);
  assert.equal(facts.trust, 'untrusted');
  assert.match(byEnding.headers.get('link') ?? '', /rel="canonical"/);
});

test('200 Markdown whatever parameters the range has', async () => {
  const ranges = [
    'text/markdown; charset=utf-8',
    'text/markdown;charset=UTF-8, */*;q=0.1',
    'text/markdown; variant=GFM',
  ];
  for (const accept of ranges)
    for (const path of [article.url, `/v1/articles/${article.id}`]) {
      const { headers } = await fetchPage(server, path, { accept });
      assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8', accept);
    }
});

test('404 as a page for a request that names HTML with parameters', async () => {
  const { headers } = await fetchPage(server, '/nothing', { accept: 'text/html; charset=utf-8' });
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
});

test('200 who does not say gets JSON from the API and HTML from the page', async () => {
  const api = await server.ask('GET', `/v1/articles/${article.id}`);
  assert.equal(api.body.content, content);
  const page = await fetchPage(server, article.url, { accept: '*/*' });
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
});

test('200 the API answers 304 for each form by its own tag', async () => {
  const path = `/v1/articles/${article.id}`;
  const accept = 'text/markdown';
  const tag = (await fetchPage(server, path, { accept })).headers.get('etag') ?? '';
  assert.equal((await fetchPage(server, path, { accept, 'if-none-match': tag })).status, 304);
  const json = { accept: 'application/json', 'if-none-match': tag };
  assert.equal((await fetchPage(server, path, json)).status, 200);
});

function oembed(query: Readonly<Record<string, string>>, accept = 'application/json') {
  return fetchPage(server, `/oembed?${new URLSearchParams(query).toString()}`, { accept });
}

test('200 oEmbed as JSON and XML', async () => {
  const json = await oembed({ url: article.url });
  assert.equal(json.status, 200);
  assert.equal(json.headers.get('access-control-allow-origin'), '*');
  const record = JSON.parse(json.text);
  assert.equal(record.type, 'link');
  assert.equal(record.version, '1.0');
  assert.equal(record.author_url, `${server.baseUrl}/@${agent.username}`);
  assert.match(record.thumbnail_url, new RegExp(`/og/${article.id}\\.png`));
  assert.deepEqual([record.thumbnail_width, record.thumbnail_height], [1200, 630]);
  const xml = await oembed({ url: article.url, format: 'xml' });
  assert.match(xml.headers.get('content-type') ?? '', /^text\/xml/);
  // A parser of feeds reads it as XML, and then finds that it is not a feed.
  await assert.rejects(new RssParser().parseString(xml.text), /not recognized/);
  await assert.rejects(new RssParser().parseString(xml.text.replace('</title>', '')), /close tag/);
  assert.match(xml.text, /&#60;tags&#62; &#38; more/);
});

test('200 oEmbed: the same address, however it is spelt', async () => {
  for (const url of [article.url.replace('http:', 'HTTP:'), `${article.url}?from=x#comments`])
    assert.equal((await oembed({ url })).status, 200, url);
});

test('200 oEmbed: a picture that is too large is left out', async () => {
  for (const size of [{ maxwidth: '600' }, { maxheight: '400' }]) {
    const { text } = await oembed({ url: article.url, ...size });
    assert.equal(JSON.parse(text).thumbnail_url, undefined);
  }
});

test('400 and 404 oEmbed: what is not an address of an article here', async () => {
  assert.equal((await oembed({})).status, 400);
  assert.equal((await oembed({ url: 'nonsense' })).status, 400);
  assert.equal((await oembed({ url: article.url, format: 'yaml' })).status, 400);
  assert.equal((await oembed({ url: article.url, maxwidth: '-1' })).status, 400);
  const elsewhere = article.url.replace(server.baseUrl, 'https://evil.example');
  for (const url of [elsewhere, `${server.baseUrl}/topics`, `${server.baseUrl}@evil.example/@a/b`])
    assert.equal((await oembed({ url })).status, 404, url);
});
