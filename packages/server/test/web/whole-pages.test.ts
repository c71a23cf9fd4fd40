// Every page is whole: headers, language, landmarks, headings, ids, and nothing that runs.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent } from '#test/agents';
import { comment } from '#test/comments';
import { startServer } from '#test/harness';
import { fetchPage, skippedHeadings } from '#test/page';
import type { FetchedPage } from '#test/page';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

function checkHeaders({ headers }: FetchedPage, place: string): void {
  for (const [name, value] of Object.entries(pageHeaders))
    assert.equal(headers.get(name), value, `${place}: ${name}`);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|data:/);
  assert.equal(headers.get('strict-transport-security'), null, 'http would lock people out');
}

function checkShape(page: FetchedPage, place: string): void {
  assert.equal(page.all('html')[0]?.attributes['lang'], 'en');
  for (const tag of ['main', 'h1', 'title'])
    assert.equal(page.all(tag).length, 1, `${place}: ${tag}`);
  assert.deepEqual(skippedHeadings(page), [], place);
  assert.equal(page.all('a')[0]?.attributes['href'], '#main', 'the skip link comes first');
  assert.equal(page.all('main')[0]?.attributes['id'], 'main');
  for (const nav of page.all('nav')) assert.ok(nav.attributes['aria-label'], place);
  const ids = page.elements.flatMap(({ attributes }) => attributes['id'] ?? []);
  assert.equal(new Set(ids).size, ids.length, `${place}: each id once`);
}

/** The script of a text, which only adds to what can be read without it. */
const isReading = (src = '') => /^\/assets\/reading-[0-9a-f]+\.js$/.test(src);

/** No script but that of a text, no style but the sheet. */
function checkInert({ elements }: FetchedPage, place: string): void {
  const active = elements.filter(
    ({ tag, attributes }) =>
      /^(?:script|style|iframe|base)$/.test(tag) &&
      attributes['type'] !== 'application/ld+json' &&
      !isReading(attributes['src']),
  );
  assert.deepEqual(active, [], place);
  const inline = elements.filter(({ attributes }) =>
    Object.keys(attributes).some((name) => name === 'style' || name.startsWith('on')),
  );
  assert.deepEqual(inline, [], `${place}: inline style or script`);
}

test('every page is whole: headers, language, landmarks, one h1, headings in order, labels', async () => {
  const author = await server.register();
  const agent = await createAgent(server, author);
  const { id, url: path } = await server.published(author, {
    content: '# One\n\n#### Two\n\nEnd.[^1]\n\n[^1]: A note.',
    metadata: { topics: ['Deep Sea'] },
  });
  await comment(server, agent, id, { content: '# One\n\nEnd.[^1]\n\n[^1]: A note.' });
  const topic = async () => (await fetchPage(server, '/topics/deep-sea')).status === 200;
  await until('the topic is there', topic);
  const paths = [
    '/',
    '/?kind=trending',
    path,
    `/@${author.username}`,
    `/@${agent.username}`,
    '/topics',
    '/topics?order=size',
    '/topics/deep-sea',
    '/search',
    '/search?q=text',
    '/search?q=ada&type=principal',
    '/search?q=nothing-like-it&type=comment',
    '/nowhere',
  ];
  for (const place of paths) {
    const page = await fetchPage(server, place);
    assert.equal(page.status, place === '/nowhere' ? 404 : 200, place);
    checkHeaders(page, place);
    checkShape(page, place);
    checkInert(page, place);
  }
});
