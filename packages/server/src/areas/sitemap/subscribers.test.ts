// Places in the sitemap on a real PostgreSQL, during concurrent publications, changes and removals.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from '#database';
import type { Database } from '#database';
import { keyOf, newId } from '#lib/id';
import { migratedClone } from '#test/migrated-clone';
import { quiet } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { urlsPerFile } from './queries/index.ts';
import { placeInSitemap, rebuildingSitemap, rebuildingSitemapFiles } from './subscribers.ts';

const buckets = [3, 4, 5];
let clone: Clone;

before(async () => {
  clone = await migratedClone();
  for (const bucket of buckets) {
    await clone.ask(
      "insert into principals (bucket, id, kind, username, created_at) values ($1, 'author', 'human', $2, now())",
      [bucket, `ann-${bucket}`],
    );
  }
});

after(async () => {
  await clone[Symbol.asyncDispose]();
});

async function publish(members: { readonly listed?: boolean } = {}): Promise<string> {
  const bucket = buckets[Math.floor(Math.random() * buckets.length)] ?? 3;
  const id = newId(bucket);
  await clone.ask(
    `insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure,
       latest_revision_id, published_revision_id, published_at, created_at, updated_at)
     values ($1, $2, 'author', 'human', 'published', $3, 'en', 'human_authored', 'r1', 'r1', now(), now(), now())`,
    [bucket, id, members.listed === false ? 'unlisted' : 'public'],
  );
  return id;
}

function place(id: string, db: Database = clone.db): Promise<void> {
  return placeInSitemap([keyOf(id)], { db, log: quiet, now: () => new Date() });
}

async function entryOf(id: string) {
  const [row] = await clone.ask<{ file: number; revision_id: string; lastmod: Date }>(
    'select file, revision_id, lastmod from sitemap_entries where article_id = $1',
    [id],
  );
  return row;
}

async function files() {
  return clone.ask<{ number: number; entries: number; changed_at: Date }>(
    'select number, entries, changed_at from sitemap_files order by number',
  );
}

/**
 * Asserts that every listed article is in exactly one file, nothing else is, and each file's count is
 * correct.
 */
async function assertExact(): Promise<void> {
  const wrong = await clone.ask(`
    select coalesce(a.id, e.article_id) as id
    from (select bucket, id from articles where listed) as a
    full join sitemap_entries e on e.bucket = a.bucket and e.article_id = a.id
    where e.file is null or a.id is null`);
  assert.deepEqual(wrong, []);
  const counts = await clone.ask(`
    select f.number
    from sitemap_files f
    full join (select file, count(*) as entries from sitemap_entries group by file) as e on e.file = f.number
    where f.entries is distinct from coalesce(e.entries, 0) or f.entries > ${urlsPerFile}`);
  assert.deepEqual(counts, []);
}

async function empty(): Promise<void> {
  await clone.ask('truncate sitemap_entries, sitemap_files, articles cascade');
}

test('a listed article has one place, however often it is asked for', async () => {
  await empty();
  const id = await publish();
  for (let run = 0; run < 3; run += 1) await place(id);
  assert.equal((await entryOf(id))?.file, 1);
  assert.deepEqual(
    (await files()).map(({ number, entries }) => [number, entries]),
    [[1, 1]],
  );
});

test('what changes nothing for readers of the file leaves its date; a new revision moves it', async () => {
  await empty();
  const id = await publish();
  await place(id);
  const [first] = await files();
  await place(id);
  assert.deepEqual(await files(), [first]);
  await clone.ask(
    "update articles set published_revision_id = 'r2', updated_at = now() + interval '1 second' where id = $1",
    [id],
  );
  await place(id);
  const entry = await entryOf(id);
  assert.equal(entry?.revision_id, 'r2');
  const [second] = await files();
  assert.ok(Number(second?.changed_at) > Number(first?.changed_at));
  assert.equal(second?.entries, 1);
});

test('every way out of the lists takes it out of its file, and the way back brings it in', async () => {
  await empty();
  const id = await publish();
  await place(id);
  for (const [off, on] of [
    ["visibility = 'unlisted'", "visibility = 'public'"],
    ["status = 'hidden'", "status = 'published'"],
    ["status = 'removed'", "status = 'published'"],
    ['deindexed = true', 'deindexed = false'],
  ] as const) {
    await clone.ask(`update articles set ${off} where id = $1`, [id]);
    await place(id);
    assert.equal(await entryOf(id), undefined, off);
    await assertExact();
    await clone.ask(`update articles set ${on} where id = $1`, [id]);
    await place(id);
    assert.equal((await entryOf(id))?.file, 1, on);
    await assertExact();
  }
  await place(newId(3));
  await assertExact();
});

const filling = '01AAAAAAA%';

/** Creates the articles of a whole file. */
async function publishFilling(): Promise<void> {
  await clone.ask(
    `insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure,
       latest_revision_id, published_revision_id, published_at, created_at, updated_at)
     select 3, rtrim($1, '%') || lpad(i::text, 11, '0') || $3, 'author', 'human', 'published', 'public', 'en', 'human_authored', 'r1', 'r1', now(), now(), now()
     from generate_series(1, $2::integer) i`,
    [filling, urlsPerFile, newId(3).slice(-6)],
  );
}

/**
 * Leaves only one file with `entries` entries. The articles are shared by the tests: creating them takes
 * seconds.
 */
async function fill(entries: number): Promise<void> {
  await clone.ask('truncate sitemap_entries, sitemap_files');
  await clone.ask('delete from articles where id not like $1', [filling]);
  const [row] = await clone.ask('select from articles limit 1');
  if (row === undefined) await publishFilling();
  await clone.ask(
    `update articles set status = 'published', visibility = 'public' where not listed`,
  );
  await clone.ask(
    'insert into sitemap_files (bucket, number, entries, changed_at) values (0, 1, $1, now())',
    [entries],
  );
  const surplus = urlsPerFile - entries;
  await clone.ask(
    "update articles set visibility = 'unlisted' where id in (select id from articles order by id limit $1)",
    [surplus],
  );
  await clone.ask(
    `insert into sitemap_entries (bucket, article_id, file, revision_id, lastmod)
     select bucket, id, 1, 'r1', updated_at from articles where listed`,
  );
}

/** Separate database handles, so that eight transactions are open at once. */
async function withPipelines(
  count: number,
  work: (dbs: readonly Database[]) => Promise<void>,
): Promise<void> {
  const dbs = Array.from({ length: count }, () =>
    openDatabase({
      connection: clone.connection,
      readers: 1,
      writers: 1,
      patience: 12,
      onError: () => undefined,
    }),
  );
  try {
    await work(dbs);
  } finally {
    await Promise.all(dbs.map((db) => db[Symbol.asyncDispose]()));
  }
}

test('eight pipelines over the border of a file: no file too full, no article twice or lost', async () => {
  await fill(urlsPerFile - 20);
  const ids = await Promise.all(Array.from({ length: 60 }, () => publish()));
  await withPipelines(8, async (dbs) => {
    // Each article twice, because the pipeline may run a subscriber twice at once.
    const queue = [...ids, ...ids.toReversed()];
    await Promise.all(
      dbs.map(async (db) => {
        for (let id = queue.pop(); id !== undefined; id = queue.pop()) await place(id, db);
      }),
    );
  });
  await assertExact();
  assert.deepEqual(
    (await files()).map(({ number, entries }) => [number, entries]),
    [
      [1, urlsPerFile],
      [2, 40],
    ],
  );
});

test('eight pipelines while articles come, go and come back end in what is listed', async () => {
  await fill(urlsPerFile - 10);
  const ids = await Promise.all(Array.from({ length: 30 }, () => publish()));
  await withPipelines(8, async (dbs) => {
    await Promise.all(
      dbs.map(async (db) => {
        for (let round = 0; round < 40; round += 1) {
          const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
          await clone.ask(
            "update articles set visibility = case when visibility = 'public' then 'unlisted' else 'public' end where id = $1",
            [id],
          );
          await place(id, db);
        }
      }),
    );
    // An older run never overwrites a newer one, and every change was followed by a run.
    await assertExact();
  });
});

test('a place that was left is taken by the next article', async () => {
  await fill(urlsPerFile);
  const beyond = await publish();
  await place(beyond);
  assert.equal((await entryOf(beyond))?.file, 2);
  const [gone] = await clone.ask<{ id: string }>(
    "update articles set status = 'removed' where id = (select article_id from sitemap_entries where file = 1 limit 1) returning id",
  );
  await place(gone?.id ?? '');
  const next = await publish();
  await place(next);
  assert.equal((await entryOf(next))?.file, 1);
  await assertExact();
});

test('rebuilding finds what is stale, and recounts files beside the pipeline', async () => {
  await empty();
  const ids = await Promise.all(Array.from({ length: 12 }, () => publish()));
  const [unlisted = '', ...listed] = ids;
  await Promise.all(ids.map((id) => place(id)));
  await clone.ask("update articles set visibility = 'unlisted' where id = $1", [unlisted]);
  assert.deepEqual(await rebuildingSitemap.stale(clone.db, '', 10), [unlisted]);
  await place(unlisted);
  assert.deepEqual(await rebuildingSitemap.stale(clone.db, '', 10), []);
  const walked: string[] = [];
  for (let after = ''; ;) {
    const page = await rebuildingSitemap.next(clone.db, after, 5);
    walked.push(...page);
    if (page.length < 5) break;
    after = page.at(-1) ?? '';
  }
  assert.deepEqual(walked.toSorted(), ids.toSorted());
  assert.equal(await rebuildingSitemap.count(clone.db), 12);
  await clone.ask('update sitemap_files set entries = 5');
  const services = { db: clone.db, log: quiet, now: () => new Date() };
  await Promise.all([
    ...(await rebuildingSitemapFiles.next(clone.db, '', 10)).map((number) =>
      rebuildingSitemapFiles.rebuild(number, services),
    ),
    ...listed.map(async (id) => {
      await clone.ask("update articles set status = 'removed' where id = $1", [id]);
      await place(id);
    }),
  ]);
  for (const number of await rebuildingSitemapFiles.next(clone.db, '', 10))
    await rebuildingSitemapFiles.rebuild(number, services);
  await assertExact();
});
