// Statements of erasure, and on erasures that are not yet in every copy of the ledger. test/text-stores.ts lists all
// columns that contain text of articles.
import { namedIds, sql } from '#database';
import type { Db, Tx } from '#database';

/**
 * The bounds of one transaction, in contents and in stored bytes; the subscriber deletes the rest in batches.
 */
const contentsAtOnce = 500;
const bytesAtOnce = 16 * 1024 * 1024;

/** Articles of one bucket. */
export interface Works {
  readonly bucket: number;
  readonly ids: readonly string[];
}

/** Erases the records: nothing in them reveals the text. The first date of removal stays. */
async function setErased(tx: Tx, { bucket, ids }: Works, now: string): Promise<readonly string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    update articles
    set status = 'erased', language = 'und', canonical_url = null, featured_media_id = null,
      removed_at = coalesce(removed_at, ${now}), updated_at = ${now}
    where bucket = ${bucket} and id = any(${ids}) and status <> 'erased'
    returning id`);
  return rows.map((row) => row.id);
}

/** Hashes, dates and signatures stay as evidence; only the text is deleted. */
function setRevisionsErased(tx: Tx, { bucket, ids }: Works): Promise<number> {
  return tx.run(sql`
    update revisions
    set erased = true
    where bucket = ${bucket} and article_id = any(${ids}) and not erased`);
}

/**
 * Locks the contents that no other article uses, ordered by hash, so that two erasures cannot deadlock. A
 * transaction that inserts a revision of the same content waits for these rows, gets a violation of
 * revisions_held_hash_fkey once they are deleted, and stores the content again.
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
          select 1 from revisions h
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

/** A separate statement after the lock: it sees every revision inserted until then. */
function deleteUnheldContents(tx: Tx, bucket: number, hashes: readonly string[]): Promise<number> {
  return tx.run(sql`
    delete from contents c
    where c.bucket = ${bucket}
      and c.hash = any(${hashes})
      and not exists (
        select 1 from revisions h
        where h.bucket = ${bucket} and h.held_hash = c.hash
      )`);
}

/**
 * Deletes contents of these erased articles that no revision uses any more, within the bounds of one
 * transaction. Returns how many; 0 when none is left.
 */
export async function deleteFreedContents(tx: Tx, works: Works): Promise<number> {
  const hashes = await lockUnheldContents(tx, works);
  if (hashes.length > 0) void deleteUnheldContents(tx, works.bucket, hashes);
  return hashes.length;
}

/** An article that was just erased, and the ids of media that its contents and its record named. */
export interface ErasedWork {
  readonly id: string;
  readonly author_id: string;
  readonly media_ids: readonly string[];
}

/**
 * Must be queried before the texts are deleted. Returns everything in the form of an id; most ids name no
 * media.
 */
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
 * Erases the records of articles in any state, and as many of their texts as one transaction may. Returns the articles
 * that were not erased before.
 */
export async function setArticlesErased(
  tx: Tx,
  works: Works,
  now: Date,
): Promise<readonly ErasedWork[]> {
  const [named, erased] = await Promise.all([
    listNamedMedia(tx, works),
    setErased(tx, works, now.toISOString()),
    setRevisionsErased(tx, works),
    deleteFreedContents(tx, works),
  ]);
  const fresh = new Set(erased);
  return named.filter(({ id }) => fresh.has(id));
}

/** Returns which of these articles, from any buckets, exist and are not erased. */
export async function listNotErased(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select a.id
    from ${namedIds(ids)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    where a.status <> 'erased'
    order by a.id`);
  return rows.map((row) => row.id);
}

export interface PendingErasure {
  readonly bucket: number;
  readonly article_id: string;
  /** RFC 3339. */
  readonly erased_at: string;
}

/** Call it in the transaction of the erasure. */
export function insertPendingErasures(tx: Tx, { bucket, ids }: Works, now: Date): Promise<number> {
  return tx.run(sql`
    insert into pending_erasures (bucket, article_id, erased_at)
    select ${bucket}, erased.id, ${now.toISOString()}::timestamptz
    from unnest(${ids}::text[]) as erased (id)
    on conflict on constraint pending_erasures_article_id_pkey
    do nothing`);
}

/** Returns those of these erasures that the ledger may not contain. */
export function listUnrecorded(tx: Tx, { bucket, ids }: Works): Promise<readonly PendingErasure[]> {
  return tx.rows(sql<PendingErasure>`
    select bucket, article_id, erased_at
    from pending_erasures
    where bucket = ${bucket} and article_id = any(${ids}) and recorded_at is null
    order by article_id`);
}

/** Stores that the ledger in the media store contains these erasures. */
export function setRecorded(tx: Tx, { bucket, ids }: Works, now: Date): Promise<number> {
  return tx.run(sql`
    update pending_erasures
    set recorded_at = ${now.toISOString()}
    where bucket = ${bucket} and article_id = any(${ids}) and recorded_at is null`);
}

/** Lists erasures of before that time, oldest ids of each bucket first. */
export function listPendingErasures(
  db: Db,
  before: Date,
  limit: number,
): Promise<readonly (PendingErasure & { readonly recorded: boolean })[]> {
  return db.rows(sql<PendingErasure & { recorded: boolean }>`
    -- every bucket: recurring work in the background
    select bucket, article_id, erased_at, recorded_at is not null as recorded
    from pending_erasures
    where erased_at < ${before.toISOString()}
    order by bucket, article_id
    limit ${limit}`);
}

/** Deletes erasures that every copy of the ledger contains. */
export function deletePendingErasures(tx: Tx, { bucket, ids }: Works): Promise<number> {
  return tx.run(sql`
    delete from pending_erasures
    where bucket = ${bucket} and article_id = any(${ids})`);
}

/** Counts erasures of before that time that are not in every copy of the ledger. */
export async function countPendingErasures(db: Db, before: Date): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: the operator's check
    select count(*)::float8 as count
    from pending_erasures
    where erased_at < ${before.toISOString()}`);
  return row?.count ?? 0;
}
