// Statements on the newest articles: the drafts of one author, and published articles of many authors.
import { justFirst, orOverServers, sql } from '#database';
import type { Db, Statement } from '#database';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { revisionAs, shownRevision, signatureJoin } from './articles.ts';
import { shownColumns } from './shown.ts';
import type { ListedRow } from './shown.ts';

/** Reads the newest in the index of drafts, so that neither many drafts nor many published articles slow it. */
export function listNewestDrafts(
  db: Db,
  author: RowKey,
  limit: number,
): Promise<readonly ListedRow[]> {
  return db.rows(sql<ListedRow>`
    with page as (
      select bucket, id
      from articles
      where bucket = ${author.bucket} and author_id = ${author.id} and status = 'draft'
      order by id desc
      ${justFirst(limit)}
    )
    select ${shownColumns}, c.excerpt
    from page
    join articles a on a.bucket = page.bucket and a.id = page.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${revisionAs(sql`a.latest_revision_id`)}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${author.bucket}
    order by a.id desc`);
}

/**
 * Returns the newest listed articles of many authors: the newest few of each by index, then the newest of
 * those.
 */
export function listNewestOf(
  db: Db,
  authors: readonly string[],
  limit: number,
): Promise<readonly ListedRow[]> {
  const buckets = authors.map(bucketOf);
  const one = sql`
      -- every bucket: the authors live anywhere
      -- on one server: a few rows of each author
      select newest.bucket, newest.id
      from unnest(${buckets}::smallint[], ${authors}::text[]) as author (bucket, id)
      cross join lateral (
        select bucket, id
        from articles
        where bucket = author.bucket and author_id = author.id and listed
        order by id desc
        ${justFirst(limit)}
      ) as newest
      order by newest.id desc
      ${justFirst(limit)}`;
  const overServers = sql`
      -- every bucket: the authors live anywhere
      select bucket, id
      from articles
      where bucket = any(${buckets}::smallint[]) and author_id = any(${authors}) and listed
      order by id desc
      ${justFirst(limit)}`;
  const rowsOf = (newest: Statement) => sql<ListedRow>`
    with page as (${newest}
    )
    select ${shownColumns}, c.excerpt
    from page
    join articles a on a.bucket = page.bucket and a.id = page.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${shownRevision.published}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    order by a.id desc`;
  return db.rows(orOverServers(rowsOf(one), () => rowsOf(overServers)));
}
