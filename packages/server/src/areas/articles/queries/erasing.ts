// Erasing: what goes from every place that holds text of an article, and which places those are.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import { bucketOf } from '#lib/id';

/** A place that holds text of articles, or something that was made of it. */
interface TextStore {
  readonly table: string;
  /** Columns whose text goes. */
  readonly columns: readonly string[];
  /**
   * In the transaction of the erasure, or by the subscriber to its message, which runs moments later:
   * a lower area reaches a higher one in no other way.
   */
  readonly when: 'at once' | 'article.erased';
}

/** Every one there is. A new table with text of articles fails a test until it stands here. */
export const textStores: readonly TextStore[] = [
  {
    table: 'contents',
    columns: ['title', 'content', 'metadata', 'excerpt'],
    when: 'at once',
  },
  // By its foreign key, with the content.
  { table: 'renderings', columns: ['html', 'headings', 'signals'], when: 'at once' },
  { table: 'articles', columns: ['canonical_url'], when: 'at once' },
  { table: 'idempotency_keys', columns: ['body'], when: 'at once' },
  { table: 'article_search', columns: ['document', 'title', 'marks'], when: 'article.erased' },
  // The words that no other title has.
  { table: 'search_words', columns: ['word'], when: 'article.erased' },
  { table: 'article_topics', columns: ['topic', 'name'], when: 'article.erased' },
  // The topics that no other article has.
  { table: 'topics', columns: ['slug'], when: 'article.erased' },
];

/** What one transaction deletes, in texts and in stored bytes; the subscriber takes the rest in turns. */
const contentsAtOnce = 500;
const bytesAtOnce = 16 * 1024 * 1024;

/** Articles of one bucket. */
export interface Works {
  readonly bucket: number;
  readonly ids: readonly string[];
}

/** The record stays, and nothing in it tells what the text was; the first date of removal holds. */
async function setErased(tx: Tx, { bucket, ids }: Works, now: string): Promise<readonly string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    update articles
    set status = 'erased', language = 'und', canonical_url = null, featured_media_id = null,
      removed_at = coalesce(removed_at, ${now}), updated_at = ${now}
    where bucket = ${bucket} and id = any(${ids}) and status <> 'erased'
    returning id`);
  return rows.map((row) => row.id);
}

/** Hashes, dates and signatures stay as evidence; the text is let go of. */
function setRevisionsErased(tx: Tx, { bucket, ids }: Works): Promise<number> {
  return tx.run(sql`
    update revisions
    set erased = true
    where bucket = ${bucket} and article_id = any(${ids}) and not erased`);
}

/**
 * Whoever makes a revision of the same content now waits for these rows, finds them gone by
 * revisions_held_hash_fkey, and stores the content anew. Held in the order of hashes, so that two
 * erasures never wait for each other.
 */
async function lockUnheldContents(tx: Tx, { bucket, ids }: Works): Promise<readonly string[]> {
  const rows = await tx.rows(sql<{ hash: string }>`
    with unheld as (
      select c.hash,
        sum(pg_column_size(c.content)) over (order by c.hash) - pg_column_size(c.content) as bytes_before
      from contents c
      where c.bucket = ${bucket}
        and c.hash in (
          select r.content_hash
          from revisions r
          where r.bucket = ${bucket} and r.article_id = any(${ids})
        )
        and not exists (
          select from revisions h
          where h.bucket = ${bucket} and h.held_hash = c.hash
        )
      order by c.hash
      limit ${contentsAtOnce}
    )
    select c.hash
    from unheld
    join contents c on c.bucket = ${bucket} and c.hash = unheld.hash
    where unheld.bytes_before < ${bytesAtOnce}
    order by c.hash
    for update of c`);
  return rows.map((row) => row.hash);
}

/** By a statement of its own behind the lock: it sees every revision that was made until then. */
function deleteUnheldContents(tx: Tx, bucket: number, hashes: readonly string[]): Promise<number> {
  return tx.run(sql`
    delete from contents c
    where c.bucket = ${bucket}
      and c.hash = any(${hashes})
      and not exists (
        select from revisions h
        where h.bucket = ${bucket} and h.held_hash = c.hash
      )`);
}

/**
 * Deletes texts that these erased articles held and nobody holds any more, as many as one transaction
 * should; answers 0 when none is left.
 */
export async function deleteFreedContents(tx: Tx, works: Works): Promise<number> {
  const hashes = await lockUnheldContents(tx, works);
  if (hashes.length > 0) void deleteUnheldContents(tx, works.bucket, hashes);
  return hashes.length;
}

/** An article that was erased just now, and the files that its texts and its record named. */
export interface ErasedWork {
  readonly id: string;
  readonly author_id: string;
  readonly media_ids: readonly string[];
}

/** To be asked before the texts go. Whatever looks like an id is named; most of it is none of a file. */
function listNamedMedia(tx: Tx, { bucket, ids }: Works): Promise<readonly ErasedWork[]> {
  return tx.rows(sql<ErasedWork>`
    select a.id, a.author_id,
      coalesce(
        array_agg(distinct named.id) filter (where named.id is not null), '{}'
      ) as media_ids
    from articles a
    left join lateral (
      select a.featured_media_id as id
      union all
      select (
        regexp_matches(c.content || ' ' || c.metadata::text, '[0-7][0-9A-HJKMNP-TV-Z]{25}', 'g')
      )[1]
      from revisions r
      join contents c on c.bucket = r.bucket and c.hash = r.held_hash
      where r.bucket = a.bucket and r.article_id = a.id
    ) as named on true
    where a.bucket = ${bucket} and a.id = any(${ids})
    group by a.id, a.author_id
    order by a.id`);
}

/**
 * Erases articles of one bucket in the caller's transaction, whatever state they are in, and answers
 * those that were not erased before: `articlesErased` must tell the pipeline of them in the same
 * transaction. More than 500 texts are deleted by the subscriber to that message.
 */
export async function eraseArticles(
  tx: Tx,
  bucket: number,
  articleIds: readonly string[],
  now: Date,
): Promise<readonly ErasedWork[]> {
  const works = { bucket, ids: articleIds };
  const [named, erased] = await Promise.all([
    listNamedMedia(tx, works),
    setErased(tx, works, now.toISOString()),
    setRevisionsErased(tx, works),
    deleteFreedContents(tx, works),
  ]);
  const fresh = new Set(erased);
  return named.filter(({ id }) => fresh.has(id));
}

/** Which of these articles, of any buckets, are there and not erased. */
export async function listNotErased(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select a.id
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) as named (bucket, id)
    join articles a on a.bucket = named.bucket and a.id = named.id
    where a.status <> 'erased'
    order by a.id`);
  return rows.map((row) => row.id);
}
