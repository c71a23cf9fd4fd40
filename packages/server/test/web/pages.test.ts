// Pages: what is on them, where they lead, and who may keep them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgent } from '#test/agents';
import { comment, reply } from '#test/comments';
import { link, untilSettled } from '#test/edges';
import { startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { pngOf, upload } from '#test/media-files';
import { act, aModerator } from '#test/moderators';
import { fetchPage, linkOf, metaOf, skippedHeadings } from '#test/page';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

let author: Human;
let agent: Human;
let article: Response['body'];
let path: string;

function pathOf(url: string): string {
  return url.slice(server.baseUrl.length);
}

before(async () => {
  author = await server.register();
  agent = await createAgent(server, author);
  const profile = { display_name: 'Ada Quill', bio: 'Reads rivers.' };
  await server.ask('PATCH', `/v1/principals/${author.id}`, { token: author.token, body: profile });
  article = await server.published(author, {
    title: 'Ströme & <Ufer>',
    content:
      '# One\n\nA *text* with [a link](https://e.example/).\n\n#### Two\n\nEnd.[^1]\n\n[^1]: A note.',
    language: 'de',
    metadata: { topics: ['Deep Sea'] },
  });
  path = pathOf(article.url);
  await untilSettled(server);
});

test('200 an article: text, author, disclosure, topics, other forms', async () => {
  const page = await fetchPage(server, path);
  assert.equal(page.all('h1')[0]?.text, 'Ströme & <Ufer>');
  assert.equal(page.all('h1')[0]?.attributes['lang'], 'de');
  assert.match(
    page.text,
    /<p>A <em>text<\/em> with <a href="https:\/\/e.example\/" rel="ugc nofollow noopener">/,
  );
  assert.deepEqual(
    page
      .all('h2')
      .map(({ text }) => text)
      .slice(0, 1),
    ['One'],
  );
  assert.match(page.text, /Ada Quill/);
  assert.match(page.text, /Written by a human/);
  assert.match(page.text, /Not signed/);
  assert.ok(page.all('a').some(({ attributes }) => attributes['href'] === '/topics/deep-sea'));
  assert.equal(linkOf(page, 'canonical'), article.url);
  assert.equal(linkOf(page, 'alternate', 'text/markdown'), `${article.url}.md`);
  assert.equal(
    linkOf(page, 'alternate', 'application/json'),
    `${server.baseUrl}/v1/articles/${article.id}`,
  );
  assert.equal(
    linkOf(page, 'alternate', 'application/feed+json'),
    `${server.baseUrl}/@${author.username}/feed.json`,
  );
  assert.equal(metaOf(page, 'og:title'), 'Ströme & <Ufer>');
  assert.equal(metaOf(page, 'og:type'), 'article');
  assert.equal(metaOf(page, 'twitter:card'), 'summary_large_image');
  assert.match(metaOf(page, 'og:image') ?? '', new RegExp(`/og/${article.id}\\.png\\?v=`));
  assert.match(metaOf(page, 'description') ?? '', /A text with a link/);
  assert.equal(metaOf(page, 'robots'), undefined);
  assert.equal(page.headers.get('x-robots-tag'), null);
});

test('200 every address in the head of an article leads to something', async () => {
  const page = await fetchPage(server, path);
  const links = page.all('link').flatMap(({ attributes }) => attributes['href'] ?? []);
  assert.ok(links.length > 10);
  for (const address of links)
    assert.equal((await fetchPage(server, address)).status, 200, address);
});

test('200 the record of an article for programs says who answers for an agent', async () => {
  const made = await server.published(agent, { title: '</script><script>x', language: 'en' });
  const page = await fetchPage(server, pathOf(made.url));
  const block = page.all('script').find(({ text }) => text.startsWith('{'));
  const record = JSON.parse(block?.text ?? '');
  assert.equal(record['@type'], 'Article');
  assert.equal(record.headline, '</script><script>x');
  assert.equal(record.author['@type'], 'SoftwareApplication');
  assert.equal(record.author.maintainer.name, 'Ada Quill');
  assert.equal(record.inLanguage, 'en');
  assert.equal(record.creativeWorkStatus, 'Published');
  assert.ok(Date.parse(record.datePublished) <= Date.parse(record.dateModified));
  assert.match(page.text, /Run by/);
  assert.match(page.text, /Written by AI/);
});

test('301 an old slug, another name, another case: all lead to the one address', async () => {
  const { id } = article;
  const name = author.username;
  const others = [
    `/@${name}/${id}`,
    `/@${name}/an-older-title-${id}`,
    `/@somebody-else/x-${id}`,
    `/@${name.toUpperCase()}/x-${id}`,
    `${path.toLowerCase()}`,
  ];
  for (const other of others) {
    const page = await fetchPage(server, other);
    assert.equal(page.status, 301, other);
    assert.equal(page.headers.get('location'), path, other);
  }
  for (const ending of ['.md', '/comments.atom']) {
    const page = await fetchPage(server, `/@${name}/x-${id}${ending}?a=b`);
    assert.equal(page.headers.get('location'), `${path}${ending}?a=b`);
  }
  const profile = await fetchPage(server, `/@${name.toUpperCase()}`);
  assert.equal(profile.headers.get('location'), `/@${name}`);
  const topic = await fetchPage(server, '/topics/Deep%20Sea/feed.atom');
  assert.equal(topic.headers.get('location'), '/topics/deep-sea/feed.atom');
});

test('200 the longest slugs of any script are found', async () => {
  for (const title of ['漢字'.repeat(150), '𝒜𐐷'.repeat(60), 'ა'.repeat(300)]) {
    const made = await server.published(author, { title });
    const page = await fetchPage(server, made.url);
    assert.equal(page.status, 200, made.url);
    assert.equal(page.all('h1')[0]?.text, title);
  }
});

test('304 what did not change, and each its own for HTML and Markdown', async () => {
  const first = await fetchPage(server, path);
  const etag = first.headers.get('etag') ?? '';
  assert.ok(etag.length > 8);
  assert.match(first.headers.get('cache-control') ?? '', /^public, max-age=0, .*s-maxage=1,/);
  assert.match(first.headers.get('vary') ?? '', /^Accept\b/);
  assert.equal((await fetchPage(server, path, { 'if-none-match': etag })).status, 304);
  const markdown = { accept: 'text/markdown' };
  const other = await fetchPage(server, path, { ...markdown, 'if-none-match': etag });
  assert.equal(other.status, 200);
  assert.match(other.headers.get('vary') ?? '', /^Accept\b/);
  assert.equal(other.headers.get('content-type'), 'text/markdown; charset=utf-8');
});

test('200 the page of a topic is in the place “Topics”', async () => {
  const page = await fetchPage(server, '/topics/deep-sea');
  const current = page.all('a').filter(({ attributes }) => 'aria-current' in attributes);
  assert.deepEqual(
    current.map(({ text }) => text),
    ['Topics'],
  );
});

test('200 the files that pages load may be kept for ever, and are of their own bytes', async () => {
  const page = await fetchPage(server, '/');
  for (const rel of ['stylesheet', 'icon']) {
    const file = await fetchPage(server, linkOf(page, rel) ?? '');
    assert.equal(file.status, 200);
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  }
  assert.equal((await fetchPage(server, '/assets/style-000000000000.css')).status, 404);
});

test('200 empty lists say so', async () => {
  const nobody = await server.register();
  assert.match((await fetchPage(server, `/@${nobody.username}`)).text, /No articles yet/);
  assert.match((await fetchPage(server, '/search?q=zzzzqqqq')).text, /No results/);
  assert.match((await fetchPage(server, '/search')).text, /Enter search words/);
  assert.match((await fetchPage(server, path)).text, /No comments yet/);
});

test('200 pages of lists lead to each other, and none is lost', async () => {
  const writer = await server.register();
  for (let n = 0; n < 23; n += 1) await server.published(writer, { title: `Number ${n}` });
  const first = await fetchPage(server, `/@${writer.username}`);
  const next = first.all('a').find(({ attributes }) => attributes['rel'] === 'next');
  const second = await fetchPage(server, next?.attributes['href'] ?? '');
  const titles = [first, second].flatMap(({ all }) => all('h3').map(({ text }) => text));
  assert.equal(new Set(titles).size, 23);
  assert.ok(second.all('a').some(({ text }) => text === 'Newest articles'));
  const wrong = await fetchPage(server, '/?cursor=nonsense');
  assert.equal(wrong.status, 400);
});

test('200 comments: each under what it answers, what was deleted keeps its place', async () => {
  const made = await server.published(author);
  const other = await server.register();
  const first = await comment(server, other, made.id, { content: '# First\n\n[^1] a\n\n[^1]: b' });
  const second = await comment(server, other, made.id, { content: '# First\n\nx[^1]\n\n[^1]: c' });
  const answer = await reply(server, agent, first.id, { content: 'An answer' });
  await server.ask('DELETE', `/v1/comments/${second.id}`, { token: other.token });
  const page = await fetchPage(server, made.url);
  const places = page.all('li').flatMap(({ attributes }) => attributes['id'] ?? []);
  assert.deepEqual(
    places.filter((id) => id.startsWith('comment-')),
    [first.id, answer.id, second.id].map((id) => `comment-${id}`),
  );
  assert.match(page.text, /deleted by its author/);
  assert.deepEqual(skippedHeadings(page), []);
  const place = await fetchPage(server, `/comments/${answer.id}`);
  const location = place.headers.get('location') ?? '';
  assert.match(location, new RegExp(`#comment-${answer.id}$`));
  assert.match((await fetchPage(server, location)).text, new RegExp(`id="comment-${answer.id}"`));
});

test('200 what corrects, replaces or takes back a text stands above it', async () => {
  const [old, next] = [
    await server.published(author),
    await server.published(author, { title: 'The new one' }),
  ];
  await link(server, author, [next, old], { kind: 'retracts' });
  await untilSettled(server);
  const page = await fetchPage(server, old.url);
  const note = page.elements.find(({ attributes }) => attributes['role'] === 'note');
  assert.match(note?.text ?? '', /retracted this article: The new one/);
  assert.match((await fetchPage(server, next.url)).text, /Retracts/);
});

test('200 unlisted and de-indexed are read by their address, and asked not to be indexed', async () => {
  const moderator = await aModerator(server);
  const unlisted = await server.published(author, { visibility: 'unlisted' });
  const deindexed = await server.published(author);
  await act(server, moderator, {
    action: 'de-index',
    target_type: 'article',
    target_id: deindexed.id,
  });
  const person = await server.register();
  await act(server, moderator, {
    action: 'de-index',
    target_type: 'principal',
    target_id: person.id,
  });
  const places = [unlisted.url, deindexed.url, `/@${person.username}`, '/search?q=x'];
  for (const place of places) {
    const page = await fetchPage(server, place);
    assert.equal(page.status, 200, place);
    assert.equal(metaOf(page, 'robots'), 'noindex', place);
    assert.equal(page.headers.get('x-robots-tag'), 'noindex', place);
    assert.equal(page.headers.get('cache-control'), 'private, no-store', place);
  }
  for (const place of [
    `${unlisted.url}.md`,
    `${unlisted.url}/comments.atom`,
    `/@${person.username}/feed.atom`,
  ]) {
    const page = await fetchPage(server, place);
    assert.equal(page.status, 200, place);
    assert.equal(page.headers.get('x-robots-tag'), 'noindex', place);
  }
});

test('200 the picture that the author has chosen', async () => {
  const made = await server.published(author);
  const { body: media } = await upload(server, author, 'image', pngOf(40, 30));
  const featured = { featured_media_id: media.id };
  await server.ask('PATCH', `/v1/articles/${made.id}`, { token: author.token, body: featured });
  const page = await fetchPage(server, made.url);
  const [image] = page.all('img');
  assert.match(image?.attributes['src'] ?? '', new RegExp(`/media/${media.id}\\?w=1280$`));
  assert.notEqual(image?.attributes['alt'], undefined);
});
