// Statements on sitemap_files: the room in a file, its count and its date.
import { whenGiven, sql } from '#database';
import type { Db, Tx } from '#database';

/**
 * The maximum number of addresses in one file (sitemaps.org, "Using Sitemap index files"). The longest
 * address is under 900 bytes, so a file also stays below the 50 MiB limit.
 */
export const urlsPerFile = 50_000;

/** The bucket that contains the rows of files: a file contains articles of every bucket. */
const filesBucket = 0;

/**
 * Takes up to `wanted` places in the first file that has room. Returns undefined if there is none, or if
 * another transaction has just taken the last place. The file's row stays locked until the transaction
 * ends.
 */
export function setSlotsTaken(
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
export function insertSitemapFile(tx: Tx, now: string): Promise<number> {
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
export function setSitemapFilesChanged(
  tx: Tx,
  changes: readonly FileChange[],
  now: string,
): Promise<number> {
  return tx.run(sql`
    with changed as materialized (
      select f.number, given.gone, f.changed_at + interval '1 millisecond' as later
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
      changed_at = greatest(changed.later, ${now})
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
      whenGiven(file, (number) => sql`number = ${number}`),
    ])}
    order by number`);
}

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
export async function setSitemapFileRecounted(tx: Tx, number: number, now: string): Promise<void> {
  await tx.run(sql`
    -- every bucket: a file of the sitemap lists articles of all buckets
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
