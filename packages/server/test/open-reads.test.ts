// Limits of what is read without a token and is not an operation: every path that costs something counts for the address.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { comment } from './comments.ts';
import { untilSettled } from './edges.ts';
import { assertProblem, problemName } from './harness.ts';
import type { TestServer } from './harness.ts';
import { ownPages } from './own-pages.ts';
import { startLimitedServer } from './limits-file.ts';
import { pngOf, upload } from './media-files.ts';
import { pathsOfRouter } from './router-paths.ts';
import { leavesPublished } from './transparency-log.ts';

const reads = 3;

/** Written once at the start, or told from memory: a limit would cost more than the answer. */
const free = [
  '/assets/:name',
  '/errors/:name',
  '/errors/style.css',
  '/favicon.ico',
  '/healthz',
  '/llms.txt',
  '/metrics',
  '/readyz',
  '/robots.txt',
];

let server: TestServer;
/** An address for each path that counts. */
let counted: Readonly<Record<string, string>>;
let token: string;

before(async () => {
  server = await startLimitedServer(
    { rates: { reads_per_minute: reads } },
    { TRUSTED_PROXIES: '127.0.0.1, ::1' },
  );
  const human = await server.register();
  token = human.token;
  const article = await server.published(human, { metadata: { topics: ['Moss'] } });
  const commented = await comment(server, human, article.id);
  const { id: mediaId } = (await upload(server, human, 'image', pngOf(9, 9))).body;
  await untilSettled(server);
  await leavesPublished(server, 1);
  const at = String(article.url).slice(server.baseUrl.length);
  const profile = `/@${human.username}`;
  const feeds = ['feed.atom', 'feed.json', 'feed.rss'].flatMap((feed) => [
    [`/${feed}`, `/${feed}`],
    [`/@:username/${feed}`, `${profile}/${feed}`],
    [`/topics/:slug/${feed}`, `/topics/moss/${feed}`],
  ]);
  const ownAddresses = Object.entries(ownPages).map(([path, address]) => [
    path.replaceAll(/\{(\w+)\}/g, ':$1'),
    address,
  ]);
  counted = {
    '/': '/',
    '/@:username': profile,
    '/@:username/:place': `${at}.md`,
    '/-/join/username': '/-/join/username?username=somebody-else',
    '/@:username/:place/cite': `${at}/cite`,
    '/@:username/:place/graph': `${at}/graph`,
    '/@:username/:place/revisions': `${at}/revisions`,
    '/@:username/:place/revisions/:revision_id': `${at}/revisions/${article.revision_id}`,
    '/@:username/:place/comments.atom': `${at}/comments.atom`,
    '/comments/:id': `/comments/${commented.id}`,
    '/docs': '/docs',
    '/docs.md': '/docs.md',
    '/docs/:page': '/docs/agents',
    '/docs/api': '/docs/api',
    '/docs/api.md': '/docs/api.md',
    '/docs/api/:operation': '/docs/api/read-me',
    '/log/checkpoint': '/log/checkpoint',
    '/log/tile/*': '/log/tile/entries/000.p/1',
    '/media/:id': `/media/${mediaId}`,
    '/oembed': `/oembed?url=${encodeURIComponent(article.url)}`,
    '/og/:file': `/og/${article.id}.png`,
    '/search': '/search?q=text',
    '/sitemap.xml': '/sitemap.xml',
    '/transparency': '/transparency',
    '/sitemaps/:file': '/sitemaps/1.xml',
    '/topics': '/topics',
    '/topics/:slug': '/topics/moss',
    '/write': '/write',
    '/write/:id': `/write/${article.id}`,
    ...Object.fromEntries(feeds),
    ...Object.fromEntries(ownAddresses),
  };
});
after(() => server[Symbol.asyncDispose]());

/** Every path outside of /v1 that takes GET. */
function pathsServed(): readonly string[] {
  return pathsOfRouter(server, 'GET').filter((path) => !/^\/(?:-\/)?v1\//.test(path));
}

let addresses = 0;
/** An address that the service does not know. */
function elsewhere(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `198.51.100.${addresses}` };
}

async function get(path: string, headers: Record<string, string>, method = 'GET') {
  const answer = await fetch(server.baseUrl + path, { method, headers, redirect: 'manual' });
  const body = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson && body !== '' ? JSON.parse(body) : body,
  };
}

const remainderOf = (answer: { readonly headers: Headers }) => answer.headers.get('ratelimit');

/** What is left, with a wait that shrinks by the whole seconds since the first request. */
function assertLeft(answer: { readonly headers: Headers }, count: number, since: number): void {
  const [, seconds] =
    new RegExp(`^"reads";r=${count};t=(\\d+)$`).exec(remainderOf(answer) ?? '') ?? [];
  assert.ok(seconds !== undefined, `${remainderOf(answer)} instead of ${count}`);
  const passed = Math.floor((performance.now() - since) / 1_000);
  assert.ok(Number(seconds) <= 60 && Number(seconds) >= 60 - passed, `${seconds} s`);
}

test('the router has no path outside of /v1 and /-/v1 that is neither counted nor known to cost nothing', () => {
  const known = [...Object.keys(counted), ...free].toSorted();
  assert.deepEqual(pathsServed(), known);
});

test('429 rate-limited on every path that counts, with the fields and the wait, and no work done', async () => {
  for (const path of Object.values(counted)) {
    const headers = elsewhere();
    const since = performance.now();
    const first = await get(path, headers);
    // What needs a session sends the reader to sign in, or says so.
    assert.ok([200, 301, 303, 401].includes(first.status), `${first.status} ${path}`);
    assert.equal(first.headers.get('ratelimit-policy'), `"reads";q=${reads};w=60`, path);
    assertLeft(first, reads - 1, since);
    const asked = { ...headers, authorization: `Bearer ${token}` };
    assertLeft(await get(path, asked, 'HEAD'), reads - 2, since);
    const tag = first.headers.get('etag') ?? '"x"';
    const again = await get(path, { ...headers, 'if-none-match': tag });
    assert.equal(remainderOf(again)?.startsWith('"reads";r=0;t='), true, path);
    const refused = await get(path, headers);
    assertProblem(refused, 'rate-limited');
    assert.match(refused.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(refused.headers.get('cache-control'), 'no-store');
    assert.equal(refused.headers.get('retry-after'), String(refused.body.retry_after_seconds));
    assert.equal(remainderOf(refused), `"reads";r=0;t=${refused.body.retry_after_seconds}`);
    assert.equal(refused.headers.get('etag'), null, path);
    assert.match(refused.body.detail, /Your network address/);
  }
});

test('what is asked for and is not there counts too', async () => {
  for (const path of [
    '/og/nothing',
    '/media/nothing',
    '/log/tile/0/009',
    '/sitemaps/9.xml',
    '/topics/nothing',
  ]) {
    const headers = elsewhere();
    for (let count = 0; count < reads; count += 1)
      assert.equal(problemName(await get(path, headers)), 'not-found', path);
    assertProblem(await get(path, headers), 'rate-limited');
  }
});

test('one bucket for all of them and for reads of the API without a token', async () => {
  const headers = elsewhere();
  const since = performance.now();
  assertLeft(await get('/sitemap.xml', headers), 2, since);
  assertLeft(await get(counted['/og/:file'] ?? '', headers), 1, since);
  assert.match(remainderOf(await get('/v1/meta', headers)) ?? '', /^"reads";r=0;/);
  assertProblem(await get(counted['/media/:id'] ?? '', headers), 'rate-limited');
});

test('200 without fields for what costs nothing, also for an address that has used up its reads', async () => {
  const headers = elsewhere();
  while ((await get('/', headers)).status !== 429);
  const style = /href="(?<path>\/assets\/[^"]+)"/.exec((await get('/', elsewhere())).body);
  const paths = ['/healthz', '/readyz', '/robots.txt', '/favicon.ico', '/llms.txt', '/errors/gone'];
  for (const path of [...paths, '/errors/style.css', style?.groups?.['path'] ?? '']) {
    const answer = await get(path, headers);
    assert.equal(answer.status, 200, path);
    assert.equal(remainderOf(answer), null, path);
  }
});
