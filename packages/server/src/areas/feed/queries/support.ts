// Statements on the support of an article (comments, links, follows) and the owners of the supporters.
import { justFirst, keysTable, namedIds, nothing, orOverServers, sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';

/** The kinds of support that an article receives. */
export type SupportKind = 'comment' | 'link' | 'follow';

export interface Support {
  readonly kind: SupportKind;
  /** The owner of the supporter: of an agent its owner, otherwise the person. */
  readonly owner_id: string;
}

export interface Supporting {
  /** The supporter; for comments, the supporter's owner. */
  readonly principal_id: string;
  /** The article that contains the link. */
  readonly source_id: string | null;
}

/** undefined: all principals; otherwise only these. For one owner, a single row is enough. */
export type Among = readonly string[] | undefined;

function only(among: Among, column: Statement): Statement {
  if (among === undefined) return nothing;
  return sql`
      and ${column} = any(${among})`;
}

const one = (among: Among): Statement => (among === undefined ? nothing : justFirst(1));

function listCommenters(tx: Tx, { bucket, id }: RowKey, among: Among) {
  return tx.rows(sql<Supporting>`
    select ${among === undefined ? sql`distinct ` : nothing}coalesce(owner_principal_id, author_id) as principal_id,
      null as source_id
    from comments
    where bucket = ${bucket}
      and article_id = ${id}
      and status = 'visible'${only(among, sql`author_id`)}
    ${one(among)}`);
}

function listLinks(tx: Tx, { bucket, id }: RowKey, among: Among) {
  return tx.rows(sql<Supporting>`
    select distinct created_by_principal_id as principal_id, src_article_id as source_id
    from incoming_edges
    where bucket = ${bucket}
      and dst_key = ${id}${only(among, sql`created_by_principal_id`)}`);
}

/**
 * Returns follows made since the article was published. Ids of follows are in the order of time, with an
 * index.
 */
function listNewFollowers(tx: Tx, followed: Followed, among: Among) {
  const { authorId, from, to, earliestId, latestId } = followed;
  const byId =
    among === undefined
      ? sql`
      and follow_id >= ${earliestId}
      and follow_id < ${latestId}`
      : nothing;
  return tx.rows(sql<Supporting>`
    select follower_id as principal_id, null as source_id
    from followers
    where bucket = ${bucketOf(authorId)}
      and followee_id = ${authorId}${byId}
      and created_at >= ${from}
      and created_at <= ${to}${only(among, sql`follower_id`)}
    ${one(among)}`);
}

/** The follows that support an article. */
export interface Followed {
  readonly authorId: string;
  readonly from: string;
  readonly to: string;
  /** Lower than every id of a follow in this time. */
  readonly earliestId: string;
  /** Higher than every one: later follows of a popular author are not read. */
  readonly latestId: string;
}

/** Returns the present supporters of an article of one kind. */
export function listSupport(
  tx: Tx,
  key: RowKey,
  { kind, followed, among }: { kind: SupportKind; followed: Followed; among: Among },
): Promise<readonly Supporting[]> {
  if (kind === 'comment') return listCommenters(tx, key, among);
  return kind === 'link' ? listLinks(tx, key, among) : listNewFollowers(tx, followed, among);
}

/** Returns the ids of those articles that are listed now. */
export async function listListedAmong(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows(sql<{ id: string }>`
    select a.id
    from ${namedIds(ids)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    where a.listed
    order by a.id`);
  return rows.map((row) => row.id);
}

/** Returns the owner of each principal: the owner of an agent, or the person. */
export async function findOwners(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; owner_id: string }>`
    select p.id, coalesce(p.owner_principal_id, p.id) as owner_id
    from ${namedIds(ids)}
    join principals p on p.bucket = named.bucket and p.id = named.id
    order by p.id`);
  return new Map(rows.map((row) => [row.id, row.owner_id]));
}

/**
 * Returns the ids of people and of their agents, by the id of the person. A person and the person's agents count as
 * one supporter and share a bucket.
 */
export async function listAccountsOf(
  db: Db,
  ownerIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const agents = await db.rows(sql<{ id: string; owner_id: string }>`
    select p.id, p.owner_principal_id as owner_id
    from ${namedIds(ownerIds)}
    join principals p on p.bucket = named.bucket and p.owner_principal_id = named.id`);
  const byOwner = Map.groupBy(agents, ({ owner_id }) => owner_id);
  const accountsOf = (id: string) => [id, ...(byOwner.get(id) ?? []).map((agent) => agent.id)];
  return new Map(ownerIds.map((id) => [id, accountsOf(id)]));
}

/** Returns the ids of one person and the person's agents. */
export async function listAccounts(db: Db, ownerId: string): Promise<readonly string[]> {
  return (await listAccountsOf(db, [ownerId])).get(ownerId) ?? [];
}

/** Returns the articles that an article links to with announced links, and the author of the links. */
export async function listLinked(
  db: Db,
  { bucket, id }: RowKey,
  page: { readonly after: string; readonly limit: number },
): Promise<{ readonly authorId: string | undefined; readonly ids: readonly string[] }> {
  const rows = await db.rows(sql<{ id: string; author_id: string }>`
    select dst_article_id as id, min(created_by_principal_id) as author_id
    from edges
    where bucket = ${bucket}
      and src_article_id = ${id}
      and announced_at is not null
      and dst_article_id > ${page.after}
    group by dst_article_id
    order by dst_article_id
    ${justFirst(page.limit)}`);
  return { authorId: rows[0]?.author_id, ids: rows.map((row) => row.id) };
}

/** Returns the articles that may show links to others. */
export function listLinking(db: Db, keys: readonly RowKey[]): Promise<readonly RowKey[]> {
  const one = sql<RowKey>`
    select named.bucket, named.id
    from ${keysTable(keys)}
    where exists (
      select 1
      from edges e
      where e.bucket = named.bucket
        and e.src_article_id = named.id
        and e.announced_at is not null
        and e.dst_article_id is not null
    )
    order by named.bucket, named.id`;
  const overServers = () => sql<RowKey>`
    select distinct e.bucket, e.src_article_id as id
    from edges e
    where e.bucket = any(${keys.map(({ bucket }) => bucket)}::smallint[])
      and e.src_article_id = any(${keys.map(({ id }) => id)})
      and e.announced_at is not null
      and e.dst_article_id is not null
    order by e.bucket, e.src_article_id`;
  return db.rows(orOverServers(one, overServers));
}

/**
 * Returns the followed author's articles that a person's follows support now, or have supported until now.
 * Of a very productive author, it considers the newest 200 articles before each follow.
 */
export async function listFollowedFor(
  db: Db,
  followeeId: string,
  who: { readonly ownerId: string; readonly accounts: readonly string[]; readonly days: number },
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select a.id
    from followers f
    cross join lateral (
      select id
      from articles
      where bucket = f.bucket
        and author_id = f.followee_id
        and listed
        and published_at <= f.created_at
        and published_at >= f.created_at - make_interval(days => ${who.days})
      order by published_at desc, id desc
      ${justFirst(200)}
    ) as a
    where f.bucket = ${bucketOf(followeeId)}
      and f.followee_id = ${followeeId}
      and f.follower_id = any(${who.accounts})
    union
    select s.article_id as id
    from article_supporters s
    join articles a on a.bucket = s.bucket and a.id = s.article_id
    where s.bucket = ${bucketOf(followeeId)}
      and s.owner_id = ${who.ownerId}
      and s.kind = 'follow'
      and a.author_id = ${followeeId}
    order by id`);
  return rows.map((row) => row.id);
}
