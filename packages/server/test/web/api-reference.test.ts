// The API reference: a page for every operation and a list of them, which load nothing from elsewhere and work without scripts.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { operationList, scopesOf } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { slugOf } from '../../src/web/reference/operations.ts';
import { assertProblem, startServer } from '../harness.ts';
import { fetchPage, linkOf, metaOf, skippedHeadings } from '../page.ts';
import type { FetchedPage } from '../page.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const pathOf = ({ name }: Pick<AnyOperation, 'name'>) => `/docs/api/${slugOf(name)}`;
const paths = ['/docs/api', ...operationList.map(pathOf)];
const pages = new Map<string, FetchedPage>();

before(async () => {
  for (const path of paths) pages.set(path, await fetchPage(server, path));
});

const pageAt = (path: string) => pages.get(path) ?? assert.fail(path);

/** Elements with an attribute that makes a browser load something. */
function loadedAddresses({ elements }: FetchedPage): readonly string[] {
  return elements.flatMap(({ tag, attributes }) => {
    const loads = ['script', 'img', 'iframe', 'source'].includes(tag) || tag === 'link';
    const isLoaded = tag !== 'link' || /^(?:stylesheet|icon)$/.test(attributes['rel'] ?? '');
    const address = attributes['src'] ?? attributes['href'];
    return loads && isLoaded && address !== undefined ? [address] : [];
  });
}

for (const path of paths) {
  test(`${path}: a small page with one heading, and nothing from elsewhere`, () => {
    const page = pageAt(path);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    assert.match(page.headers.get('cache-control') ?? '', /^public/);
    assert.ok(Buffer.byteLength(page.text) < 60_000, `${Buffer.byteLength(page.text)} bytes`);
    assert.equal(page.all('h1').length, 1);
    assert.deepEqual(skippedHeadings(page), []);
    assert.equal(linkOf(page, 'canonical'), server.baseUrl + path);
    const ids = page.elements.flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));
    assert.deepEqual(ids.toSorted(), [...new Set(ids)].toSorted());
    assert.equal(page.all('script').length, 1);
    for (const address of loadedAddresses(page)) assert.match(address, /^\/assets\/[\w.-]+$/);
  });
}

test('the list leads to every operation, and every page is linked from the guides', async () => {
  const addresses = pageAt('/docs/api')
    .all('a')
    .map(({ attributes }) => attributes['href']);
  for (const operation of operationList) assert.ok(addresses.includes(pathOf(operation)));
  const guides = await fetchPage(server, '/docs');
  const linked = guides.all('a').map(({ attributes }) => attributes['href']);
  assert.ok(linked.includes(`${server.baseUrl}/docs/api`));
});

/** Members, parameters and statuses of an operation, as they must stand on its page. */
function wordsOf({ method, path, params, body, querySchema, answers }: AnyOperation) {
  const membersOf = (schema: unknown) =>
    Object.keys((schema as { readonly properties?: object } | null)?.properties ?? {});
  return [
    method,
    path,
    ...params,
    ...Object.keys(answers),
    ...[querySchema, body].flatMap(membersOf),
  ];
}

for (const operation of operationList) {
  test(`${operation.name}: its page has what the contract says`, () => {
    const { allProblems, humansOnly, summary } = operation;
    const page = pageAt(pathOf(operation));
    const text = page.all('main')[0]?.text ?? '';
    for (const word of wordsOf(operation)) assert.ok(text.includes(word), word);
    const scopes = scopesOf(operation);
    const named = `Scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' and ')}.`;
    assert.ok(scopes.length === 0 || text.includes(named), named);
    assert.equal(text.includes('Not for agents.'), humansOnly === true);
    assert.equal(page.all('h1')[0]?.text, summary);
    const links = page.all('a').map(({ attributes }) => attributes['href']);
    for (const problem of allProblems)
      assert.ok(links.includes(`${server.baseUrl}/errors/${problem}`), problem);
  });
}

test('no field of the form has a name: nothing that is typed gets into an address', () => {
  for (const operation of operationList) {
    const { elements, all } = pageAt(pathOf(operation));
    const fields = elements.filter(({ tag }) => /^(?:input|select|textarea)$/.test(tag));
    assert.ok(fields.some(({ attributes }) => attributes['id'] === 'token'));
    assert.deepEqual(
      fields.filter(({ attributes }) => 'name' in attributes),
      [],
    );
    const send = all('button').filter(({ attributes }) => attributes['type'] === 'submit');
    assert.deepEqual(
      send.map(({ attributes }) => 'disabled' in attributes),
      [true],
    );
  }
});

const visible = ({ elements }: FetchedPage) =>
  elements.filter(({ attributes }) => 'data-text' in attributes && !('hidden' in attributes));

test('the list is searched without a script: every word must be there', async () => {
  const found = await fetchPage(server, '/docs/api?q=POST+revision+Articles%3Apublish');
  assert.deepEqual(
    visible(found).map(({ text }) => text.includes('/v1/articles/{id}/publish')),
    [true],
  );
  assert.match(found.text, />1 operation</);
  assert.equal(metaOf(found, 'robots'), 'noindex');
  const none = await fetchPage(server, `/docs/api?q=${encodeURIComponent('"><script>')}`);
  assert.equal(visible(none).length, 0);
  assert.equal(none.all('script').length, 1);
  assert.equal(visible(pageAt('/docs/api')).length, operationList.length);
});

test('Markdown by the ending and by Accept, of the list and of an operation', async () => {
  for (const path of ['/docs/api', '/docs/api/publish-article']) {
    const byEnding = await server.ask('GET', `${path}.md`);
    const byAccept = await server.ask('GET', path, { headers: { accept: 'text/markdown' } });
    assert.match(byEnding.headers.get('content-type') ?? '', /^text\/markdown/);
    assert.match(byEnding.body, /^# /);
    assert.equal(byAccept.body, byEnding.body);
    assert.equal(byAccept.headers.get('vary')?.includes('Accept'), true);
  }
  const { body } = await server.ask('GET', '/docs/operations.md');
  const one = await server.ask('GET', '/docs/api/publish-article.md');
  assert.ok(body.includes(String(one.body).slice(1)), 'the same text is in the whole document');
});

test('301 from the name of an operation, 404 for others', async () => {
  for (const ending of ['', '.md']) {
    const moved = await fetchPage(server, `/docs/api/publishArticle${ending}`);
    assert.equal(moved.status, 301);
    assert.equal(moved.headers.get('location'), `/docs/api/publish-article${ending}`);
  }
  for (const path of ['/docs/api/nothing', '/docs/api/', '/docs/api/nothing.md'])
    assertProblem(await server.ask('GET', path), 'not-found');
});

test('the script is at most 15 KB compressed', async () => {
  const script = pageAt('/docs/api').all('script')[0]?.attributes['src'] ?? '';
  const response = await fetch(server.baseUrl + script);
  assert.ok(gzipSync(await response.text()).length < 15_000);
});

test('the limits in force are shown', () => {
  const { text } = pageAt('/docs/api/publish-article').all('main')[0] ?? assert.fail();
  const [first = 0] = server.services.config.limits.quotas['articles.publish'];
  assert.ok(server.services.config.limits.off || text.includes(`articles.publish: ${first}`));
});
