// kill -9 of the server while articles get their places in the sitemap: none is lost, none stands twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { newId } from '#lib/id';
import { effort } from '../effort.ts';
import { until } from '../throw-away-database.ts';
import { makePlace } from './server-process.ts';

const kills = effort(2, 4);
const urlsPerFile = 50_000;
/** Places that are free in the first file: the border is met while the server is killed. */
const free = effort(150, 300);
const coming = effort(450, 1_200);

const bucket = 5;
const author = newId(bucket);

async function insertArticles(client: pg.Client, mark: string, count: number): Promise<void> {
  await client.query(
    `insert into articles (bucket, id, author_id, author_kind, status, visibility, language, disclosure,
       latest_revision_id, published_revision_id, published_at, created_at, updated_at)
     select $1, '01' || $2 || lpad(i::text, 18, '0') || right($3, 5), $3, 'human', 'published', 'public',
       'en', 'human_authored', 'r1', 'r1', now(), now(), now()
     from generate_series(1, $4::integer) i`,
    [bucket, mark, author, count],
  );
}

async function prepare(client: pg.Client): Promise<void> {
  await client.query(
    "insert into principals (bucket, id, kind, username, created_at) values ($1, $2, 'human', 'ann', now())",
    [bucket, author],
  );
  await insertArticles(client, 'A', urlsPerFile - free);
  await client.query(`
    insert into sitemap_entries (bucket, article_id, file, revision_id, lastmod)
    select bucket, id, 1, 'r1', updated_at from articles`);
  await client.query(
    'insert into sitemap_files (bucket, number, entries, changed_at) values (0, 1, $1, now())',
    [urlsPerFile - free],
  );
  await insertArticles(client, 'B', coming);
  await client.query(`
    insert into outbox (bucket, id, type, payload, created_at)
    select bucket, id, 'article.changed', json_build_object('article_id', id), now()
    from articles
    where id like '01B%'`);
}

async function countOf(client: pg.Client, text: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(text);
  return Number(rows[0]?.count);
}

const placed = "select count(*) from sitemap_entries where article_id like '01B%'";
const left = `
  select (select count(*) from outbox) + (
    select count(*)
    from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = 'article.changed:placeInSitemap'
  ) as count`;

test(
  `${kills} kills while ${coming} articles get their places`,
  { timeout: 900_000 },
  async (t) => {
    await using place = await makePlace();
    let server = place.start();
    await server.ready(place.baseUrl);
    const first = await place.connect();
    await prepare(first);
    await first.end();

    const seen: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const client = await place.connect();
      const before = await countOf(client, placed);
      const share = Math.round(Math.random() * 75);
      await until(
        'some more are placed',
        async () => (await countOf(client, placed)) >= Math.min(coming, before + 50 + share),
      );
      server.kill('SIGKILL');
      await server.ended;
      seen.push(before);
      await client.end().catch(() => undefined);
      server = place.start();
      await server.ready(place.baseUrl);
    }

    const client = await place.connect();
    await until('nothing is left to place', async () => (await countOf(client, left)) === 0);
    const { rows: files } = await client.query(
      'select number, entries from sitemap_files order by number',
    );
    assert.deepEqual(files, [
      { number: 1, entries: urlsPerFile },
      { number: 2, entries: coming - free },
    ]);
    const { rows: counted } = await client.query(
      'select file as number, count(*)::integer as entries from sitemap_entries group by file order by file',
    );
    assert.deepEqual(counted, files);
    const missing = await countOf(
      client,
      `select count(*)
     from articles a
     where a.listed
       and not exists (select from sitemap_entries e where e.bucket = a.bucket and e.article_id = a.id)`,
    );
    assert.equal(missing, 0);
    await client.end();
    t.diagnostic(`placed before each kill and some more: ${seen.join(', ')} of ${coming}`);
  },
);
