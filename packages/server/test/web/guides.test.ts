// The service serves its own guides: as pages, as Markdown, with its own address in every line, with links that lead somewhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operationList } from '@colophon/contract';
import { guideNames } from '../../src/web/guides/sources.ts';
import { assertProblem, startServer } from '../harness.ts';
import { fetchPage } from '../page.ts';
import type { FetchedPage } from '../page.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const names = guideNames.filter((name) => name !== 'index');
const paths = ['/docs', ...names.map((name) => `/docs/${name}`)];
const pages = new Map<string, FetchedPage>();

before(async () => {
  for (const path of paths) pages.set(path, await fetchPage(server, path));
});

/** Readers have no copy of the sources: `text/rendering.ts`, `packages/server/src`. */
const namesOfSources =
  /`(?:packages|src|test|docs|scripts|bench)\/[^`]*`|`[\w./-]+\/[\w.-]+\.(?:ts|mjs)`/;
const pageAt = (path: string) => pages.get(path) ?? assert.fail(path);
/** Port 8090 is that of the tool host, on the machine of its operator. */
const foreign = /http:\/\/(?:localhost|127\.0\.0\.1)(?::(?!8090)\d+)?(?![\w.:])/g;

for (const path of paths) {
  test(`${path} is a page without scripts, with this address in every line`, () => {
    const page = pageAt(path);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal(page.all('h1').length, 1);
    assert.equal(page.all('script').length, 0);
    assert.equal(
      page.all('pre').some(({ attributes }) => attributes['class'] === 'plain'),
      false,
    );
    for (const [address] of page.text.matchAll(foreign)) assert.equal(address, server.baseUrl);
  });

  test(`${path} as Markdown, by its ending and by Accept`, async () => {
    const [byEnding, byAccept] = await Promise.all([
      server.ask('GET', `${path}.md`),
      server.ask('GET', path, { headers: { accept: 'text/markdown' } }),
    ]);
    for (const { status, headers, body } of [byEnding, byAccept]) {
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^text\/markdown/);
      assert.equal(headers.get('vary')?.includes('Accept'), true);
      assert.match(body, /^# /);
      for (const [address] of String(body).matchAll(foreign)) assert.equal(address, server.baseUrl);
      assert.doesNotMatch(body, /\]\((?![a-z]+:|#)/, 'a link to a file');
      assert.doesNotMatch(body, namesOfSources, 'a file of the sources');
    }
    assert.equal(byEnding.body, byAccept.body);
  });
}

/** Links of the guides to this service: on which page, and where to. */
const links = () =>
  [...pages].flatMap(([from, page]) =>
    page
      .all('a')
      .map(({ attributes }) => new URL(attributes['href'] ?? '', `${server.baseUrl}${from}`))
      .filter(({ origin }) => origin === server.baseUrl)
      .map(({ pathname, hash }) => ({ from, pathname, hash })),
  );

test('every link to this service leads to something', async () => {
  const reached = new Set(links().map(({ pathname }) => pathname));
  for (const pathname of reached)
    assert.ok((await fetchPage(server, pathname)).status < 400, pathname);
  for (const name of names) assert.ok(reached.has(`/docs/${name}`), `/docs leads to ${name}`);
  assert.ok(reached.has('/v1/openapi.json'));
});

test('guides lead to the audit of the log, which readers make without a copy of the repository', () => {
  for (const from of ['/docs', '/docs/transparency', '/docs/verifying', '/docs/command-line'])
    assert.ok(
      links().some((link) => link.from === from && link.pathname === '/docs/transparency-audit'),
      from,
    );
});

test('every place that a link names is in its page', () => {
  for (const { from, pathname, hash } of links()) {
    const ids = pages.get(pathname)?.elements.map(({ attributes }) => `#${attributes['id']}`);
    assert.ok(hash === '' || ids?.includes(hash) !== false, `${from} → ${pathname}${hash}`);
  }
});

test('the page of operations describes each of them', () => {
  const { text } = pageAt('/docs/operations');
  for (const { name, summary } of operationList) {
    assert.ok(text.includes(`<code>${name}</code>`), name);
    assert.ok(text.includes(summary.slice(0, 20).replaceAll('’', '’')), summary);
  }
});

test('nothing on a page separates its links a second time: the style sheet does', () => {
  for (const path of paths) {
    const meta = pageAt(path).elements.find(({ attributes }) => attributes['class'] === 'meta');
    assert.equal(meta?.text, 'All guides Markdown OpenAPI', path);
  }
});

test('304 to a reader that has it already', async () => {
  for (const path of ['/docs', '/docs/agents', '/docs/agents.md', '/docs/operations']) {
    const first = await server.ask('GET', path);
    assert.match(first.headers.get('cache-control') ?? '', /^public/);
    const headers = { 'if-none-match': first.headers.get('etag') ?? assert.fail(path) };
    assert.equal((await server.ask('GET', path, { headers })).status, 304);
  }
});

test('pictures are shown from the service itself, with words for them and room kept; Markdown has their addresses', async () => {
  const shown = paths.flatMap((path) => pageAt(path).all('img'));
  for (const { attributes } of shown) {
    const { src = '', alt = '', width, height, loading } = attributes;
    assert.match(src, /^\/assets\/[\w-]+-[0-9a-f]{12}\.webp$/);
    assert.ok(alt.length > 20, src);
    assert.equal(loading, 'lazy');
    const { status, headers, body } = await server.ask('GET', src);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'image/webp');
    assert.match(headers.get('cache-control') ?? '', /immutable/);
    assert.ok(String(body).length > 1_000);
    assert.ok(Number(width) > 300 && Number(height) > 100, `${src} ${width} ${height}`);
  }
  for (const name of ['moderation', 'verifying']) {
    const { body } = await server.ask('GET', `/docs/${name}.md`);
    const named = [...String(body).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, url = '']) => url);
    assert.ok(named.length > 2, name);
    for (const url of named) {
      assert.ok(url.startsWith(`${server.baseUrl}/assets/`), url);
      assert.ok(pageAt(`/docs/${name}`).text.includes(new URL(url).pathname), url);
    }
  }
});

test('one address for the index, and 404 where there is no guide', async () => {
  const index = await fetchPage(server, '/docs/index');
  assert.equal(index.status, 301);
  assert.equal(index.headers.get('location'), '/docs');
  const indexText = await fetchPage(server, '/docs/index.md');
  assert.equal(indexText.status, 301);
  assert.equal(indexText.headers.get('location'), '/docs.md');
  for (const path of [
    '/docs/architecture',
    '/docs/..%2Fpackage',
    '/docs/agents.md.md',
    '/docs/.md',
  ])
    assertProblem(await server.ask('GET', path), 'not-found');
});

test('/llms.txt names every guide', async () => {
  const { body } = await server.ask('GET', '/llms.txt');
  assert.ok(body.includes(`(${server.baseUrl}/docs)`));
  for (const name of names) assert.ok(body.includes(`(${server.baseUrl}/docs/${name})`), name);
});
