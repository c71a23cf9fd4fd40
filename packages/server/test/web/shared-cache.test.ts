// The cache of nginx with the configuration of deploy/, before the real server: what it keeps, how long, and for whom.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startServer } from '../harness.ts';
import type { Human, TestServer } from '../harness.ts';
import { act, aModerator } from '../moderators.ts';
import { startNginx, withoutNginx } from '../nginx.ts';
import { until } from '../throw-away-database.ts';
import { openBrowser } from '../web-session.ts';
import { ownPort } from '../own-port.ts';

const parts = new AsyncDisposableStack();
const skip = withoutNginx;
/** As docs/deploying.md promises, from the answer to the moderator on. */
const goneAfterMs = 5_000;

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

type Ask = (path: string, headers?: Headers, method?: string) => Promise<Answer>;

let server: TestServer;
let ask: Ask;

/** Starts nginx before a server and returns what asks through it; the server sees its own address as Host. */
async function through(upstream: number): Promise<Ask> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-nginx-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const port = await ownPort();
  const nginx = parts.use(
    await startNginx(folder, {
      upstreams: [`127.0.0.1:${upstream}`],
      name: 'localhost',
      mediaName: 'media.localhost',
      port,
      plainPort: await ownPort(),
    }),
  );
  return async (path, headers = {}, method = 'GET') => {
    const message = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host: `localhost:${upstream}`, ...headers },
      servername: 'localhost',
      ca: nginx.certificate,
      agent: false,
    });
    message.end();
    const [response] = await once(message, 'response');
    const body = await buffer(response);
    return { status: response.statusCode, headers: response.headers, body, text: String(body) };
  };
}

before(async () => {
  if (skip !== false) return;
  server = parts.use(await startServer({ BASE_URL: 'http://localhost:{port}' }));
  ask = await through(Number(new URL(server.baseUrl).port));
});

after(() => parts.disposeAsync());

const pathOf = (url: string) => url.slice(server.baseUrl.length);

/** A kept answer has the id of the request that filled the cache. */
const idOf = ({ headers }: Answer) => headers['x-request-id'];

/** Asks until the same answer comes twice: between two requests, its second may end. */
async function askKept(path: string, headers: Headers = {}): Promise<Answer> {
  let last = await ask(path, headers);
  for (;;) {
    assert.equal(last.status, 200, `${path} ${last.text}`);
    const next = await ask(path, headers);
    if (idOf(next) === idOf(last)) return next;
    last = next;
  }
}

/** Every public surface of an article that readers find, with what shows that it is there. */
function surfacesOf({ id, url }: { readonly id: string; readonly url: string }) {
  return {
    page: pathOf(url),
    text: `${pathOf(url)}.md`,
    json: `/v1/articles/${id}`,
    list: '/v1/articles',
    front: '/',
    atom: '/feed.atom',
    rss: '/feed.rss',
    sitemap: '/sitemaps/1.xml',
    image: `/og/${id}.png`,
  } as const;
}

const shows = ({ status, headers, text }: Answer, id: string) =>
  status === 200 && (headers['content-type'] === 'image/png' || text.includes(id));

/** Reads all surfaces without a pause, so that each is kept and stale again and again. */
async function keepHot(paths: readonly string[], work: () => Promise<unknown>): Promise<void> {
  let over = false;
  const readers = paths.map(async (path) => {
    while (!over) {
      await ask(path);
      await wait(100);
    }
  });
  await work();
  over = true;
  await Promise.all(readers);
}

async function assertVanishes(
  title: string,
  takeAway: (id: string, author: Human) => Promise<unknown>,
): Promise<void> {
  const author = await server.register();
  const article = await server.published(author, { title });
  const { id } = article;
  const surfaces = surfacesOf(article);
  const paths = Object.values(surfaces);
  for (const path of paths) await until(`${path} shows it`, async () => shows(await ask(path), id));
  for (const path of paths) await askKept(path);
  await keepHot(paths, async () => {
    await takeAway(id, author);
    // The pipeline takes it out of the sitemap.
    const inSitemap = async () => server.ask('GET', surfaces.sitemap);
    await until('it left the sitemap', async () => !String((await inSitemap()).body).includes(id));
    await wait(goneAfterMs);
    for (const path of paths) assert.ok(!shows(await ask(path), id), `${path} shows it no more`);
  });
}

test(
  'public reads, pages and feeds are kept, in every coding, and without the limits of others',
  { skip },
  async () => {
    const article = await server.published(await server.register(), {
      content: 'word '.repeat(400),
    });
    const { page, json, atom, front } = surfacesOf(article);
    for (const path of [page, json, atom, front]) {
      const plain = await askKept(path);
      assert.equal(plain.headers['content-encoding'], undefined);
      const packed = await askKept(path, { 'accept-encoding': 'br, gzip' });
      assert.equal(packed.headers['content-encoding'], 'br');
      assert.equal(String(brotliDecompressSync(packed.body)), plain.text, path);
      const zipped = await askKept(path, { 'accept-encoding': 'gzip' });
      assert.equal(zipped.headers['content-encoding'], 'gzip');
      assert.equal(String(gunzipSync(zipped.body)), plain.text, path);
      const known = await ask(path, { 'if-none-match': String(plain.headers.etag) });
      assert.equal(known.status, 304, path);
    }
    const text = await askKept(page, { accept: 'text/markdown' });
    assert.match(String(text.headers['content-type']), /^text\/markdown/);
    assert.match(String((await askKept(page)).headers['content-type']), /^text\/html/);
  },
);

test(
  'an article that is hidden or becomes private is gone from every surface after five seconds',
  { skip },
  async () => {
    const moderator = await aModerator(server);
    const hide = (id: string) =>
      act(server, moderator, { target_type: 'article', target_id: id, action: 'hide' });
    const makePrivate = async (id: string, { token }: Human) => {
      const body = { visibility: 'private' };
      const changed = await server.ask('PATCH', `/v1/articles/${id}`, { token, key: true, body });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
    };
    await Promise.all([
      assertVanishes('Hidden soon', hide),
      assertVanishes('Private soon', makePrivate),
    ]);
  },
);

test(
  'what a token or a cookie shows is kept for nobody, and nobody gets the public copy',
  { skip },
  async () => {
    const author = await server.register();
    const article = await server.published(author);
    const { page, json } = surfacesOf(article);
    const bearer = { authorization: `Bearer ${author.token}` };
    const readers = [openBrowser(server), openBrowser(server)];
    const names: string[] = [];
    for (const reader of readers) names.push((await reader.join()).username);
    const cookies = readers.map((reader) => ({ cookie: reader.cookie() ?? '' }));
    await askKept(json);
    await askKept(page);
    for (let turn = 0; turn < 2; turn += 1) {
      const own = await ask(json, bearer);
      assert.equal(own.headers['cache-control'], 'private, no-store');
      assert.notEqual(idOf(await ask(json)), idOf(own));
      for (const [at, cookie] of cookies.entries()) {
        const shown = await ask(page, cookie);
        assert.equal(shown.headers['cache-control'], 'private, no-store');
        assert.ok(shown.text.includes(`@${names[at]}`), 'the page of the one who asks');
        assert.ok(!shown.text.includes(`@${names[1 - at]}`), 'and of nobody else');
        const open = await ask(page);
        for (const name of names) assert.ok(!open.text.includes(`@${name}`));
      }
    }
    const draft = await server.draft(author);
    const path = `/v1/articles/${draft.id}`;
    assert.equal((await ask(path, bearer)).status, 200);
    assert.equal((await ask(path)).status, 404, 'the draft that its author has just read');
    assert.equal((await ask('/v1/me', bearer)).status, 200);
    assert.equal((await ask('/v1/me')).status, 401);
  },
);

test(
  'nothing is kept that sets a cookie or may not be kept, and keys tell requests apart',
  { skip },
  async () => {
    let count = 0;
    const upstream = createServer(({ url = '', headers }, response) => {
      count += 1;
      const open = { 'cache-control': 'public, s-maxage=60', vary: 'Accept' };
      const more: Readonly<Record<string, Headers>> = {
        '/cookie': { ...open, 'set-cookie': `id=${count}` },
        '/private': { 'cache-control': 'private, no-store' },
        '/silent': {},
      };
      response.writeHead(200, more[url] ?? open).end(`${count} ${headers.host}`);
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    parts.defer(() => void upstream.close());
    const direct = await through((upstream.address() as AddressInfo).port);
    const isKept = async (path: string, one: Headers = {}, other = one, method = 'GET') =>
      (await direct(path, one)).text === (await direct(path, other, method)).text;
    assert.ok(await isKept('/open'));
    for (const path of ['/cookie', '/private', '/silent'])
      assert.equal(await isKept(path), false, path);
    assert.equal(await isKept('/open', { cookie: 'a=1' }), false);
    assert.equal(await isKept('/open', { authorization: 'Bearer x' }), false);
    assert.equal(await isKept('/open', {}, { cookie: 'a=1' }), false);
    assert.equal(await isKept('/open', {}, { authorization: 'Bearer x' }), false);
    assert.equal(await isKept('/open', {}, { accept: 'text/markdown' }), false);
    assert.equal(await isKept('/open', {}, { host: 'localhost:1' }), false);
    assert.equal(await isKept('/open', {}, {}, 'POST'), false);
    assert.notEqual((await direct('/open?a')).text, (await direct('/open')).text);
    for (const path of ['/media/01', '/v1/events', '/v1/media/01/content'])
      assert.equal(await isKept(path), false, path);
  },
);
