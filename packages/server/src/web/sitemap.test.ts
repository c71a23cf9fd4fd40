// Tests of the sitemap over HTTP, read by an independent parser; it lists only public articles.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Readable } from 'node:stream';
import { parseSitemap, parseSitemapIndex } from 'sitemap';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { removeLegally } from '#test/accounts';
import { createAgent } from '#test/agents';
import { closeAccount, untilTreated } from '#test/closing';
import { assertProblem, startServer } from '#test/harness';
import type { Human, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { quiet, until } from '#test/throw-away-database';
import { rebuilding } from '#subscribers';

/** Without a pipeline: the sitemap's tables stay unchanged until a test runs the step itself. */
const still = await startServer({ ROLE: 'web' });
const flowing = await startServer();
after(async () => {
  await still[Symbol.asyncDispose]();
  await flowing[Symbol.asyncDispose]();
});

const placing = rebuilding.find(({ name }) => name === 'sitemap');

function place(server: TestServer, id: string): Promise<void> {
  assert.ok(placing);
  return placing.rebuild(id, { db: server.db, log: quiet, now: () => new Date() });
}

async function indexOf(server: TestServer) {
  const response = await server.ask('GET', '/sitemap.xml');
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/xml/);
  return parseSitemapIndex(Readable.from([response.body as string]));
}

/** Every URL in the sitemap, read through its index. */
async function listUrls(server: TestServer) {
  const found = [];
  for (const { url } of await indexOf(server)) {
    assert.ok(url.startsWith(`${server.baseUrl}/sitemaps/`), url);
    const response = await server.ask('GET', url.slice(server.baseUrl.length));
    assert.equal(response.status, 200);
    found.push(...(await parseSitemap(Readable.from([response.body as string]))));
  }
  return found;
}

async function isTold(server: TestServer, id: string): Promise<boolean> {
  return (await listUrls(server)).some(({ url }) => url.endsWith(id));
}

test('200 an index that parses, and after publishing the address of the article with its date', async () => {
  assert.deepEqual(await listUrls(flowing), []);
  const human = await flowing.register();
  const made = await flowing.published(human, { title: 'Fish & chips <in> "Ürümqi" 北京' });
  await until('the article is in the sitemap', () => isTold(flowing, made.id));
  const [entry, ...others] = await listUrls(flowing);
  assert.equal(others.length, 0);
  assert.equal(entry?.url, made.url);
  const { body } = await flowing.ask('GET', `/v1/articles/${made.id}`);
  assert.equal(entry?.lastmod, body.updated_at);
  const [file] = await indexOf(flowing);
  assert.ok(Date.parse(file?.lastmod ?? '') >= Date.parse(body.updated_at));
});

test('200 of two files when there are more than 50,000 articles, each article in one of them', async () => {
  const human = await still.register();
  const bucket = bucketOf(human.id);
  const { id: last, revision_id } = await still.published(human);
  await still.db.transaction(async (tx) => {
    void tx.run(sql`set local statement_timeout = 60000`);
    void tx.run(sql`
      insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure,
        latest_revision_id, published_revision_id, published_at, created_at, updated_at)
      select ${bucket}, '01AAAAAAAA' || lpad(i::text, 10, '0') || right(${last}, 6), ${human.id}, 'human',
        'published', 'public', 'en', 'human_authored', ${revision_id}, ${revision_id}, now(), now(), now()
      from generate_series(1, 50000) i`);
    void tx.run(sql`
      insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at, published_at)
      select a.bucket, a.id, r.id, r.content_hash, r.signing_base, now(), now()
      from articles a, revisions r
      where a.bucket = ${bucket} and a.id like '01AAAAAAAA%' and r.bucket = ${bucket} and r.article_id = ${last}`);
    void tx.run(sql`
      insert into sitemap_entries (bucket, article_id, file, revision_id, lastmod)
      select bucket, id, 1, published_revision_id, updated_at
      from articles
      where bucket = ${bucket} and id like '01AAAAAAAA%'`);
    void tx.run(sql`
      insert into sitemap_files (bucket, number, entries, changed_at)
      values (0, 1, 50000, now())`);
  });
  await place(still, last);
  assert.deepEqual(
    (await indexOf(still)).map(({ url }) => url),
    [1, 2].map((number) => `${still.baseUrl}/sitemaps/${number}.xml`),
  );
  const first = await still.ask('GET', '/sitemaps/1.xml');
  assert.ok(Buffer.byteLength(first.body as string) < 50 * 1024 * 1024);
  const urls = await parseSitemap(Readable.from([first.body as string]));
  assert.equal(new Set(urls.map(({ url }) => url)).size, 50_000);
  const second = await still.ask('GET', '/sitemaps/2.xml');
  assert.deepEqual(
    (await parseSitemap(Readable.from([second.body as string]))).map(({ url }) => url.slice(-26)),
    [last],
  );
  const packed = await fetch(`${still.baseUrl}/sitemaps/1.xml`, {
    headers: { 'accept-encoding': 'gzip' },
  });
  assert.equal(packed.headers.get('content-encoding'), 'gzip');
  assert.equal(await packed.text(), first.body);
  await still.db.transaction(async (tx) => {
    void tx.run(sql`delete from sitemap_entries where bucket = ${bucket}`);
    void tx.run(sql`delete from sitemap_files where bucket = 0`);
    void tx.run(
      sql`delete from revisions where bucket = ${bucket} and article_id like '01AAAAAAAA%'`,
    );
    void tx.run(sql`delete from articles where bucket = ${bucket} and id like '01AAAAAAAA%'`);
  });
});

interface Change {
  readonly what: string;
  readonly make: (human: Human, id: string) => Promise<unknown>;
}

const moderate = async (id: string, action: 'hide' | 'remove' | 'de-index'): Promise<void> => {
  const input = { target_type: 'article', target_id: id, action } as const;
  await act(still, await aModerator(still), input);
};
const patch = (visibility: string) => (human: Human, id: string) =>
  still.ask('PATCH', `/v1/articles/${id}`, { token: human.token, body: { visibility } });

const changes: readonly Change[] = [
  { what: 'unlisted', make: patch('unlisted') },
  { what: 'private', make: patch('private') },
  { what: 'hidden', make: (_human, id) => moderate(id, 'hide') },
  { what: 'removed by a moderator', make: (_human, id) => moderate(id, 'remove') },
  { what: 'de-indexed', make: (_human, id) => moderate(id, 'de-index') },
  { what: 'removed legally', make: (_human, id) => removeLegally(still, id) },
  {
    what: 'deleted',
    make: ({ token }, id) => still.ask('DELETE', `/v1/articles/${id}`, { token }),
  },
  {
    what: 'erased',
    make: ({ token }, id) =>
      still.ask('POST', `/v1/articles/${id}/erase`, { token, body: { confirm: 'erase' } }),
  },
];

for (const { what, make } of changes) {
  test(`what was ${what} is told no more, before the pipeline hears of it and after`, async () => {
    const human = await still.register();
    const { id } = await still.published(human);
    await place(still, id);
    assert.equal(await isTold(still, id), true);
    await make(human, id);
    assert.equal(await isTold(still, id), false, 'before');
    await place(still, id);
    assert.equal(await isTold(still, id), false, 'after');
    const row = await still.db.first(sql<{ file: number }>`
      select file from sitemap_entries where bucket = ${bucketOf(id)} and article_id = ${id}`);
    assert.equal(row, undefined);
  });
}

test('drafts, unlisted and private articles never stand there', async () => {
  const human = await flowing.register();
  const made = [
    await flowing.draft(human),
    await flowing.published(human, { visibility: 'unlisted' }),
    await flowing.published(human, { visibility: 'private' }),
  ];
  const { id } = await flowing.published(human);
  await until('the public one is there', () => isTold(flowing, id));
  for (const one of made) {
    await place(flowing, one.id);
    assert.equal(await isTold(flowing, one.id), false);
  }
});

test('304 for the tag of a file, but only when no change waits that the file does not know', async () => {
  const human = await still.register();
  const { id } = await still.published(human);
  await place(still, id);
  await still.db.transaction((tx) => tx.run(sql`delete from outbox where bucket >= 0`));
  const first = await still.ask('GET', '/sitemaps/1.xml');
  const asked = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } };
  assert.equal((await still.ask('GET', '/sitemaps/1.xml', asked)).status, 304);
  await patch('unlisted')(human, id);
  const between = await still.ask('GET', '/sitemaps/1.xml', asked);
  assert.equal(between.status, 200);
  assert.ok(!String(between.body).includes(id));
  await place(still, id);
  await still.db.transaction((tx) => tx.run(sql`delete from outbox where bucket >= 0`));
  const { body } = await still.ask('GET', '/sitemap.xml');
  assert.ok(!String(body).includes('/sitemaps/2.xml'));
  const later = await still.ask('GET', '/sitemaps/1.xml', asked);
  assert.notEqual(later.status, 304);
});

const tagOf = ({ headers }: { readonly headers: Headers }) => headers.get('etag') ?? '';

test('200 under another tag once an author has left and the addresses have changed', async () => {
  const human = await flowing.register();
  const agent = await createAgent(flowing, human);
  const works = [await flowing.published(human), await flowing.published(agent)];
  for (const { id } of works) await until('it is there', () => isTold(flowing, id));
  const isCurrent = async () => {
    const tag = tagOf(await flowing.ask('GET', '/sitemaps/1.xml'));
    const headers = { 'if-none-match': tag };
    return (await flowing.ask('GET', '/sitemaps/1.xml', { headers })).status === 304;
  };
  await until('no change waits', isCurrent);
  const before = await flowing.ask('GET', '/sitemaps/1.xml');
  const index = await flowing.ask('GET', '/sitemap.xml');
  for (const { username } of [human, agent])
    assert.ok(String(before.body).includes(`/@${username}/`));

  const asked = { headers: { 'if-none-match': tagOf(before) } };
  assert.equal((await closeAccount(flowing, human, 'pseudonymise')).status, 200);
  assert.equal((await flowing.ask('GET', '/sitemaps/1.xml', asked)).status, 200);
  await untilTreated(flowing, human.id);
  const after = await flowing.ask('GET', '/sitemaps/1.xml', asked);
  assert.equal(after.status, 200);
  assert.notEqual(tagOf(after), tagOf(before));
  assert.notEqual(tagOf(await flowing.ask('GET', '/sitemap.xml')), tagOf(index));
  for (const { username } of [human, agent]) assert.ok(!String(after.body).includes(username));
  const entries = await listUrls(flowing);
  for (const { id, published_at } of works) {
    const entry = entries.find(({ url }) => url.endsWith(id));
    const { body } = await flowing.ask('GET', `/v1/articles/${id}`);
    assert.equal(entry?.url, body.url);
    assert.match(body.url, /\/@closed-/);
    assert.ok(Date.parse(entry?.lastmod ?? '') > Date.parse(published_at));
  }

  await until('no change waits', isCurrent);
  for (const { id } of works) await place(flowing, id);
  assert.equal(tagOf(await flowing.ask('GET', '/sitemaps/1.xml')), tagOf(after), 'once');
});

test('no 304 while the works of an author who left wait for their treatment', async () => {
  const human = await still.register();
  const { id } = await still.published(human);
  await place(still, id);
  await still.db.transaction((tx) => tx.run(sql`delete from outbox where bucket >= 0`));
  const headers = { 'if-none-match': tagOf(await still.ask('GET', '/sitemaps/1.xml')) };
  assert.equal((await still.ask('GET', '/sitemaps/1.xml', { headers })).status, 304);
  assert.equal((await closeAccount(still, human, 'pseudonymise')).status, 200);
  const { status, body } = await still.ask('GET', '/sitemaps/1.xml', { headers });
  assert.equal(status, 200);
  assert.ok(!String(body).includes(human.username));
});

test('HEAD answers without telling the file, and the index has a tag of its own', async () => {
  const human = await flowing.register();
  const { id } = await flowing.published(human);
  await until('the article is there', () => isTold(flowing, id));
  const head = await flowing.ask('HEAD', '/sitemaps/1.xml');
  assert.equal(head.status, 200);
  assert.match(head.headers.get('etag') ?? '', /^W\/"/);
  const index = await flowing.ask('GET', '/sitemap.xml');
  const asked = { headers: { 'if-none-match': index.headers.get('etag') ?? '' } };
  assert.equal((await flowing.ask('GET', '/sitemap.xml', asked)).status, 304);
});

test('404 not-found: files that are not there, and invalid names', async () => {
  for (const name of [
    '999.xml',
    '0.xml',
    '01.xml',
    '1',
    '-1.xml',
    '1.xml.gz',
    '99999999999.xml',
    newId(3),
  ])
    assertProblem(await flowing.ask('GET', `/sitemaps/${name}`), 'not-found');
});

test('a reader who leaves in the middle, and many who come at once, disturb no other', async () => {
  const human = await flowing.register();
  const { id } = await flowing.published(human);
  await until('the article is there', () => isTold(flowing, id));
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const leaving = new AbortController();
      const response = await fetch(`${flowing.baseUrl}/sitemaps/1.xml`, { signal: leaving.signal });
      if (index % 2 === 0) return leaving.abort();
      assert.match(await response.text(), /<\/urlset>\n$/);
    }),
  );
  assert.equal(await isTold(flowing, id), true);
});
