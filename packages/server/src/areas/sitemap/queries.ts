// Statements of the sitemap: the file of an article's address, and the content of a file.
import { given, justFirst, sql, takesLong, byId, named } from '#database';
import type { Db, Tx } from '#database';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';

/**
 * The maximum number of addresses in one file (sitemaps.org, "Using Sitemap index files"). The longest
 * address is under 900 bytes, so a file also stays below the 50 MiB limit.
 */
export const urlsPerFile = 50_000;

/** The bucket that contains the rows of files: a file contains articles of every bucket. */
const filesBucket = 0;

/** The number of addresses read at once while a file is sent. */
const batchSize = 1_000;

export interface SitemapEntry {
  /** null: the article has no place yet. */
  readonly file: number | null;
  readonly revision_id: string;
  readonly lastmod: string;
}

export interface SitemapVersion {
  readonly revision_id: string;
  readonly lastmod: string;
}

interface EntryOf {
  readonly id: string;
}

/**
 * Inserts the articles' entries, or locks them if they exist, until the transaction ends. It locks them in
 * the order of their keys, so that two transactions that lock several cannot deadlock.
 */
export async function lockSitemapEntries(
  tx: Tx,
  keys: readonly RowKey[],
  now: string,
): Promise<ReadonlyMap<string, SitemapEntry>> {
  const rows = await tx.rows(sql<SitemapEntry & EntryOf>`
    insert into sitemap_entries (bucket, article_id, revision_id, lastmod)
    select named.bucket, named.id, '', ${now}::timestamptz
    from ${named(keys)}
    order by named.bucket, named.id
    on conflict on constraint sitemap_entries_article_id_pkey
    do update set revision_id = sitemap_entries.revision_id
    returning article_id as id, file, revision_id, lastmod`);
  return byId(rows);
}

/**
 * Returns the sitemap version of those of the articles that are listed now. An address changes with the
 * name of an author whose account closes.
 */
export async function findSitemapVersions(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, SitemapVersion>> {
  const rows = await tx.rows(sql<SitemapVersion & EntryOf>`
    select a.id, a.published_revision_id as revision_id, greatest(a.updated_at, p.closed_at) as lastmod
    from ${named(keys)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where a.listed`);
  return byId(rows);
}

export interface NewSitemapEntry extends RowKey, SitemapVersion {
  readonly file: number;
}

/** The entries must be locked. */
export function setSitemapEntries(tx: Tx, entries: readonly NewSitemapEntry[]): Promise<number> {
  return tx.run(sql`
    update sitemap_entries e
    set file = given.file, revision_id = given.revision_id, lastmod = given.lastmod
    from unnest(
      ${entries.map(({ bucket }) => bucket)}::smallint[], ${entries.map(({ id }) => id)}::text[],
      ${entries.map(({ file }) => file)}::integer[],
      ${entries.map((entry) => entry.revision_id)}::text[],
      ${entries.map(({ lastmod }) => lastmod)}::timestamptz[]
    ) as given (bucket, id, file, revision_id, lastmod)
    where e.bucket = given.bucket
      and e.article_id = given.id`);
}

/** The entries must be locked. */
export function deleteSitemapEntries(tx: Tx, keys: readonly RowKey[]): Promise<number> {
  return tx.run(sql`
    delete from sitemap_entries e
    using ${named(keys)}
    where e.bucket = named.bucket
      and e.article_id = named.id`);
}

/**
 * Takes up to `wanted` places in the first file that has room. Returns undefined if there is none, or if
 * another transaction has just taken the last place. The file's row stays locked until the transaction
 * ends.
 */
export function takeSlots(
  tx: Tx,
  wanted: number,
  now: string,
): Promise<{ readonly number: number; readonly taken: number } | undefined> {
  return tx.first(sql<{ number: number; taken: number }>`
    with room as materialized (
      select number, least(${wanted}::integer, ${urlsPerFile} - entries) as taken, entries
      from sitemap_files
      where bucket = ${filesBucket}
        and entries < ${urlsPerFile}
      order by number
      limit 1
      for no key update
    )
    update sitemap_files f
    set entries = room.entries + room.taken, changed_at = greatest(f.changed_at, ${now})
    from room
    where f.bucket = ${filesBucket}
      and f.number = room.number
    returning f.number, room.taken`);
}

/** Adds a file after the last one, unless one has room by now or another transaction is adding it. */
export function addSitemapFile(tx: Tx, now: string): Promise<number> {
  return tx.run(sql`
    insert into sitemap_files (bucket, number, entries, changed_at)
    select ${filesBucket}, coalesce(max(number), 0) + 1, 0, ${now}
    from sitemap_files
    where bucket = ${filesBucket}
    having bool_or(entries < ${urlsPerFile}) is not true
    on conflict on constraint sitemap_files_number_pkey
    do nothing`);
}

export interface FileChange {
  readonly number: number;
  /** The number of entries that left the file. */
  readonly left: number;
}

/**
 * Records that the files changed, in the order of their numbers. Their dates advance even if the clock of
 * the last writer was ahead, because the entity tags are computed from them.
 */
export function touchSitemapFiles(
  tx: Tx,
  changes: readonly FileChange[],
  now: string,
): Promise<number> {
  return tx.run(sql`
    with changed as materialized (
      select f.number, given.gone
      from sitemap_files f
      join unnest(
        ${changes.map(({ number }) => number)}::integer[], ${changes.map(({ left }) => left)}::integer[]
      ) as given (number, gone) on given.number = f.number
      where f.bucket = ${filesBucket}
      order by f.number
      for no key update of f
    )
    update sitemap_files f
    set entries = greatest(f.entries - changed.gone, 0),
      changed_at = greatest(f.changed_at + interval '1 millisecond', ${now})
    from changed
    where f.bucket = ${filesBucket}
      and f.number = changed.number`);
}

export interface SitemapFile {
  readonly number: number;
  readonly entries: number;
  readonly changed_at: string;
}

/** Returns the files that are not empty: all, or the one with this number. */
export async function listSitemapFiles(db: Db, file?: number): Promise<readonly SitemapFile[]> {
  return db.rows(sql<SitemapFile>`
    select number, entries, changed_at
    from sitemap_files
    ${sql.where([
      sql`bucket = ${filesBucket} and entries > 0`,
      given(file, (number) => sql`number = ${number}`),
    ])}
    order by number`);
}

export interface SitemapRow {
  readonly id: string;
  readonly lastmod: string;
  /** null: not listed at this moment, whatever the file contains. */
  readonly username: string | null;
  readonly title: string | null;
}

/** Returns the next entries of a file in the order of their ids; none at its end. */
export async function listSitemapEntries(
  db: Db,
  file: number,
  after: string,
): Promise<readonly SitemapRow[]> {
  return db.rows(
    takesLong(sql<SitemapRow>`
    -- every bucket: a file of the sitemap holds articles of all of them
    with batch as materialized (
      select bucket, article_id, lastmod
      from sitemap_entries
      where file = ${file}
        and article_id > ${after}
      order by article_id
      ${justFirst(batchSize)}
    )
    select batch.article_id as id, batch.lastmod, p.username, c.title
    from batch
    left join articles a on a.bucket = batch.bucket and a.id = batch.article_id and a.listed
    left join principals p on p.bucket = a.bucket and p.id = a.author_id
    left join revisions r
      on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    order by batch.article_id`),
  );
}

/** The entries whose articles are not listed. */
export const listStaleSitemapEntries = walkOf({
  from: sql`sitemap_entries s left join articles a on a.bucket = s.bucket and a.id = s.article_id`,
  id: sql`s.article_id`,
  only: sql`a.listed is not true`,
});

/** Returns the numbers of all files that any row names, in ascending order. */
export async function listSitemapNumbers(db: Db): Promise<readonly number[]> {
  const rows = await db.rows(sql<{ number: number }>`
    -- every bucket: entries of all of them name files
    select number
    from sitemap_files
    where bucket = ${filesBucket}
    union
    select file
    from sitemap_entries
    where file is not null
    order by number`);
  return rows.map((row) => row.number);
}

/** Inserts the file's row, or locks it if it exists: its entries cannot change meanwhile. */
export async function lockSitemapFile(tx: Tx, number: number, now: string): Promise<void> {
  await tx.run(sql`
    insert into sitemap_files (bucket, number, entries, changed_at)
    values (${filesBucket}, ${number}, 0, ${now})
    on conflict on constraint sitemap_files_number_pkey
    do update set number = excluded.number`);
}

/** Counts the entries of a locked file. */
export async function recountSitemapFile(tx: Tx, number: number, now: string): Promise<void> {
  await tx.run(sql`
    -- every bucket: a file of the sitemap holds articles of all of them
    update sitemap_files f
    set entries = counted.entries,
      changed_at = case when f.entries = counted.entries then f.changed_at else ${now} end
    from (
      select count(*)::integer as entries
      from sitemap_entries
      where file = ${number}
    ) as counted
    where f.bucket = ${filesBucket}
      and f.number = ${number}`);
}
