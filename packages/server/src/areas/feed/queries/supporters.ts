// Statements on article_supporters: who supports an article by a follow, an edge or a comment.
import { orOverServers, sql } from '#database';
import type { Statement, Tx } from '#database';
import type { Followed, Support } from './support.ts';
import type { RowKey } from '#lib/id';

export interface FollowedArticle extends RowKey {
  readonly followed: Followed;
}

/** A few more may be returned: for all articles, follows count from the earliest date of any. */
function supportedOverServers(articles: readonly FollowedArticle[]): Statement<{ id: string }> {
  const ids = articles.map(({ id }) => id);
  const buckets = sql`any(${articles.map(({ bucket }) => bucket)}::smallint[])`;
  const authors = articles.map(({ followed }) => followed.authorId);
  const earliest = articles.map(({ followed }) => followed.earliestId).toSorted()[0];
  return sql`
    select given.id
    from unnest(${ids}::text[], ${authors}::text[]) as given (id, author_id)
    where given.id in (
        select article_id
        from comments
        where bucket = ${buckets} and article_id = any(${ids})
      )
      or given.id in (
        select dst_key
        from incoming_edges
        where bucket = ${buckets} and dst_key = any(${ids})
      )
      or given.id in (
        select article_id
        from article_supporters
        where bucket = ${buckets} and article_id = any(${ids})
      )
      or given.author_id in (
        select followee_id
        from followers
        where bucket = ${buckets} and followee_id = any(${authors}) and follow_id >= ${earliest}
      )`;
}

/** Returns the articles that may have support: the others need not be counted. */
export async function listSupported(
  tx: Tx,
  articles: readonly FollowedArticle[],
): Promise<ReadonlySet<string>> {
  const followed = articles.map((article) => article.followed);
  const one = sql<{ id: string }>`
    select given.id
    from unnest(
      ${articles.map(({ bucket }) => bucket)}::smallint[], ${articles.map(({ id }) => id)}::text[],
      ${followed.map(({ authorId }) => authorId)}::text[],
      ${followed.map(({ earliestId }) => earliestId)}::text[]
    ) as given (bucket, id, author_id, earliest_id)
    where exists (
        select 1
        from comments c
        where c.bucket = given.bucket and c.article_id = given.id
      )
      or exists (
        select 1
        from incoming_edges e
        where e.bucket = given.bucket and e.dst_key = given.id
      )
      or exists (
        select 1
        from article_supporters s
        where s.bucket = given.bucket and s.article_id = given.id
      )
      or exists (
        -- An author's row is in the bucket of their articles.
        select 1
        from followers f
        where f.bucket = given.bucket
          and f.followee_id = given.author_id
          and f.follow_id >= given.earliest_id
      )`;
  const rows = await tx.rows(orOverServers(one, () => supportedOverServers(articles)));
  return new Set(rows.map(({ id }) => id));
}

/** Replaces all supporters of the article by `support`. */
export function setSupporters(
  tx: Tx,
  { bucket, id }: RowKey,
  support: readonly Support[],
): Promise<number> {
  const given = sql`
    unnest(${support.map(({ kind }) => kind)}::text[], ${support.map((one) => one.owner_id)}::text[])
      as given (kind, owner_id)`;
  return tx.run(sql`
    with gone as (
      delete from article_supporters
      where bucket = ${bucket}
        and article_id = ${id}
        and (kind, owner_id) not in (select given.kind, given.owner_id from ${given})
    )
    insert into article_supporters (bucket, article_id, kind, owner_id)
    select ${bucket}::smallint, ${id}, given.kind, given.owner_id
    from ${given}
    order by given.kind, given.owner_id
    on conflict on constraint article_supporters_owner_id_pkey
    do nothing`);
}

export async function existsSupporter(
  tx: Tx,
  { bucket, id }: RowKey,
  { kind, owner_id }: Support,
): Promise<boolean> {
  const row = await tx.first(sql<{ owner_id: string }>`
    select owner_id
    from article_supporters
    where bucket = ${bucket}
      and article_id = ${id}
      and kind = ${kind}
      and owner_id = ${owner_id}`);
  return row !== undefined;
}

export function insertSupporter(tx: Tx, { bucket, id }: RowKey, one: Support): Promise<number> {
  return tx.run(sql`
    insert into article_supporters (bucket, article_id, kind, owner_id)
    values (${bucket}, ${id}, ${one.kind}, ${one.owner_id})`);
}

export function deleteSupporter(tx: Tx, { bucket, id }: RowKey, one: Support): Promise<number> {
  return tx.run(sql`
    delete from article_supporters
    where bucket = ${bucket}
      and article_id = ${id}
      and kind = ${one.kind}
      and owner_id = ${one.owner_id}`);
}
