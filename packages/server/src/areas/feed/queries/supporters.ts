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

/** A person who may support an article by a comment. */
export interface Commenter extends RowKey {
  readonly owner_id: string;
  /** The person and the person's agents. */
  readonly accounts: readonly string[];
}

/** Whether a person is recorded as a supporter of an article, and whether a comment makes them one now. */
export interface CommentSupport {
  readonly id: string;
  readonly owner_id: string;
  readonly before: boolean;
  readonly after: boolean;
}

/** Returns the recorded and the present support of articles by comments, a row for each commenter. */
export function listCommentSupport(
  tx: Tx,
  commenters: readonly Commenter[],
): Promise<readonly CommentSupport[]> {
  const all = commenters.flatMap(({ accounts }, place) => accounts.map((id) => ({ place, id })));
  const given = sql`
    unnest(
      ${commenters.map((_, place) => place)}::integer[],
      ${commenters.map(({ bucket }) => bucket)}::smallint[],
      ${commenters.map(({ id }) => id)}::text[],
      ${commenters.map(({ owner_id }) => owner_id)}::text[]
    ) as given (place, bucket, id, owner_id)`;
  const ofAccounts = sql`
    unnest(
      ${all.map(({ place }) => place)}::integer[], ${all.map(({ id }) => id)}::text[]
    ) as account (place, id)`;
  const one = sql<CommentSupport>`
    select given.id, given.owner_id,
      exists (
        select 1
        from article_supporters s
        where s.bucket = given.bucket
          and s.article_id = given.id
          and s.kind = 'comment'
          and s.owner_id = given.owner_id
      ) as before,
      exists (
        select 1
        from ${ofAccounts}
        join comments c on c.author_id = account.id
        where account.place = given.place
          and c.bucket = given.bucket
          and c.article_id = given.id
          and c.status = 'visible'
      ) as after
    from ${given}`;
  const buckets = sql`any(${commenters.map(({ bucket }) => bucket)}::smallint[])`;
  const ids = sql`any(${commenters.map(({ id }) => id)})`;
  const overServers = () => sql<CommentSupport>`
    select given.id, given.owner_id,
      (given.id, given.owner_id) in (
        select article_id, owner_id
        from article_supporters
        where bucket = ${buckets} and article_id = ${ids} and kind = 'comment'
      ) as before,
      given.place in (
        select account.place
        from ${ofAccounts}
        join ${given} on given.place = account.place
        join (
          select distinct article_id, author_id
          from comments
          where bucket = ${buckets} and article_id = ${ids} and author_id = any(${all.map(({ id }) => id)})
            and status = 'visible'
        ) as c on c.article_id = given.id and c.author_id = account.id
      ) as after
    from ${given}`;
  return tx.rows(orOverServers(one, overServers));
}

/** Adds these supporters by comments, and removes the ones whose comments are gone. */
export function setCommentSupport(
  tx: Tx,
  changes: readonly (RowKey & { readonly owner_id: string; readonly after: boolean })[],
): void {
  const [added, gone] = [true, false].map((is) => changes.filter(({ after }) => after === is));
  const table = (some: typeof changes) => sql`
    unnest(
      ${some.map(({ bucket }) => bucket)}::smallint[], ${some.map(({ id }) => id)}::text[],
      ${some.map(({ owner_id }) => owner_id)}::text[]
    ) as given (bucket, article_id, owner_id)`;
  if (added?.length)
    void tx.run(sql`
      insert into article_supporters (bucket, article_id, kind, owner_id)
      select given.bucket, given.article_id, 'comment', given.owner_id
      from ${table(added)}
      order by given.bucket, given.article_id, given.owner_id`);
  if (gone?.length)
    void tx.run(sql`
      delete from article_supporters s
      using ${table(gone)}
      where s.bucket = given.bucket
        and s.article_id = given.article_id
        and s.kind = 'comment'
        and s.owner_id = given.owner_id`);
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
