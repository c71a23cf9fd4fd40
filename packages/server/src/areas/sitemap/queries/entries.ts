// Statements on sitemap_entries: the file of an article’s address, and the version in it.
import { justFirst, sql, takesLong, byId, keysTable } from '#database';
import type { Db, Tx } from '#database';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';

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
    from ${keysTable(keys)}
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
    from ${keysTable(keys)}
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
    using ${keysTable(keys)}
    where e.bucket = named.bucket
      and e.article_id = named.id`);
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
    -- every bucket: a file of the sitemap lists articles of all buckets
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
