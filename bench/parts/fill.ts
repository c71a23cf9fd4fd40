// Fills a database with published articles as the server would store them, generated inside PostgreSQL.
import type pg from 'pg';
import { contentHash } from '../../packages/server/src/lib/canonical-json.ts';
import { BUCKETS, newId } from '../../packages/server/src/lib/id.ts';

const batch = 10_000;
const firstMs = Date.now() - 700 * 86_400_000;
const spanMs = 700 * 86_400_000;

export interface Filled {
  readonly authors: readonly string[];
  /** Published articles from all parts of the table. */
  readonly sample: readonly string[];
  /** Returns the time of the article at this share of the table, 0 to 1. */
  readonly timeAt: (share: number) => string;
}

interface Columns {
  readonly buckets: number[];
  readonly ids: string[];
  readonly revisions: string[];
  readonly authors: string[];
  readonly times: string[];
  readonly numbers: number[];
  readonly titles: (string | null)[];
  readonly contents: (string | null)[];
}

/** Returns the text of an article by its number. If left out, PostgreSQL generates a text of numbers. */
export type TextOf = (n: number) => { readonly title: string; readonly content: string };

/** One article in eleven is a draft; languages, topics and disclosures repeat. */
const insertBatch = `
  with given as (
    select *
    from unnest(
      $1::smallint[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::integer[], $7::text[],
      $8::text[]
    ) as g (bucket, id, revision_id, author_id, at, n, given_title, given_content)
  ), texts as materialized (
    select g.*, n % 11 <> 0 as published,
      coalesce(given_title, 'Article ' || n) as title,
      coalesce(
        given_content,
        (select string_agg(md5(n || '-' || word), ' ') from generate_series(1, 31) as word)
      ) as content,
      '{"topics":["topic-' || n % 50 || '"]}' as metadata
    from given g
  ), hashed as materialized (
    select t.*, 'sha256:' || encode(sha256(convert_to(
      '{"content":' || to_json(content) || ',"metadata":' || metadata || ',"title":' || to_json(title) || '}',
      'UTF8')), 'hex') as hash
    from texts t
  ), kept as (
    insert into contents (bucket, hash, title, content, metadata, excerpt, created_at)
    select bucket, hash, title, content, metadata::json, left(content, 280), at
    from hashed
  ), article as (
    insert into articles (
      bucket, id, author_id, author_kind, status, visibility, language, disclosure, latest_revision_id,
      published_revision_id, published_at, created_at, updated_at
    )
    select bucket, id, author_id, 'human', case when published then 'published' else 'draft' end, 'public',
      (array['en', 'de', 'fr', 'es', 'ja'])[1 + n / 10 % 5],
      (array['human_authored', 'ai_assisted'])[1 + n % 2], revision_id,
      case when published then revision_id end, case when published then at end, at, at
    from hashed
  ), topic as (
    insert into article_topics (bucket, article_id, topic, name, published_at)
    select bucket, id, 'topic-' || n % 50, 'topic-' || n % 50, at
    from hashed
    where published
  )
  insert into revisions (bucket, article_id, id, content_hash, signing_base, created_at, published_at)
  select bucket, id, revision_id, hash, 'http://127.0.0.1', at, case when published then at end
  from hashed`;

async function makeAuthors(client: pg.Client, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) =>
    newId((index * 37) % BUCKETS, firstMs - 1),
  );
  await client.query(
    `insert into principals (bucket, id, kind, username, created_at)
    select bucket, id, 'human', 'author-' || n, now()
    from unnest($1::smallint[], $2::text[]) with ordinality as g (bucket, id, n)`,
    [ids.map((_, index) => (index * 37) % BUCKETS), ids],
  );
  return ids;
}

/** Random keys in many indexes would take most of the time; the indexes are built at the end. */
async function withoutIndexes(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    where t.relname in ('articles', 'revisions', 'contents', 'article_topics')
      and t.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await client.query(definition);
}

/** Does nothing unless the standard error is a terminal. */
function printProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(text);
}

/** Compares PostgreSQL's hashes with those that the server computes. */
async function checkHashes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    hash: string;
    title: string;
    content: string;
    metadata: unknown;
  }>('select hash, title, content, metadata from contents limit 20');
  for (const row of rows)
    if ((await contentHash(row)) !== row.hash)
      throw new Error(`The hash of ${row.title} is not that of its content.`);
}

/** Fills an empty, migrated database with `articles` articles of about 1 KB by `authors` authors. */
export async function fill(
  client: pg.Client,
  articles: number,
  authors: number,
  textOf?: TextOf,
): Promise<Filled> {
  await client.query('set session_replication_role = replica');
  await client.query('set synchronous_commit = off');
  const ids = await makeAuthors(client, authors);
  const sample: string[] = [];
  const step = Math.max(1, Math.floor(articles / 1500));
  // Each eleventh article is a draft: a step that is a multiple of eleven would select only those.
  const every = step % 11 === 0 ? step + 1 : step;
  const time = (n: number) => new Date(firstMs + Math.floor((n / articles) * spanMs));

  const makeBatch = async (from: number): Promise<void> => {
    const columns: Columns = {
      buckets: [],
      ids: [],
      revisions: [],
      authors: [],
      times: [],
      numbers: [],
      titles: [],
      contents: [],
    };
    for (let n = from; n < Math.min(from + batch, articles); n += 1) {
      const bucket = ((n % authors) * 37) % BUCKETS;
      const at = time(n);
      const id = newId(bucket, at.getTime());
      columns.buckets.push(bucket);
      columns.ids.push(id);
      columns.revisions.push(newId(bucket, at.getTime()));
      columns.authors.push(ids[n % authors] ?? '');
      columns.times.push(at.toISOString());
      columns.numbers.push(n);
      const text = textOf?.(n);
      columns.titles.push(text?.title ?? null);
      columns.contents.push(text?.content ?? null);
      if (n % 11 !== 0 && n % every === 0) sample.push(id);
    }
    await client.query(insertBatch, Object.values(columns));
    printProgress(`\r${Math.min(from + batch, articles)} of ${articles} articles `);
  };
  await withoutIndexes(client, async () => {
    for (let from = 0; from < articles; from += batch) await makeBatch(from);
  });
  printProgress('\n');
  await client.query('vacuum analyze');
  await checkHashes(client);
  return {
    authors: ids,
    sample,
    timeAt: (share) => time(Math.floor(articles * share)).toISOString(),
  };
}
