// Statements on the trust levels that accounts earn, and on what they earn them by.
import { justFirst, namedIds, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface TrustRow extends RowKey {
  readonly trust_level: number;
  readonly created_at: string;
  /** Level of an agent's owner; null for a human. */
  readonly owner_trust_level: number | null;
  /** Listed articles, counted up to `articlesMax`. */
  readonly articles: number;
  /** Comments written, in any state, counted up to `commentsMax`. */
  readonly written: number;
  /** Whether a report on the account or one of its agents was upheld since `reportsSince`. */
  readonly reported: boolean;
}

export interface TrustPage {
  /** The first bucket, and the one after the last. */
  readonly buckets: readonly [number, number];
  readonly after: RowKey;
  /** Only accounts created before this time can have earned a level. */
  readonly madeBefore: Date;
  /** Levels from this one on cannot be earned. */
  readonly belowLevel: number;
  readonly articlesMax: number;
  readonly commentsMax: number;
  readonly reportsSince: Date;
  readonly limit: number;
}

/**
 * A condition on `m`: an action that resulted from a report and was not reversed by a restoration or an
 * appeal.
 */
function upheldCondition(since: Date) {
  return sql`m.report_id is not null and m.lifted_at is null
            and m.created_at > ${since.toISOString()}
            and m.action <> 'restore' and m.appeal_status is distinct from 'upheld'`;
}

/** Returns those of these accounts on which, or on whose agents, a report was upheld. */
async function listReported(
  db: Db,
  ids: readonly string[],
  since: Date,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.rows(sql<{ id: string }>`
    -- every bucket: an action is stored with its target
    select m.author_id as id
    from moderation_actions m
    where m.author_id = any(${ids}) and ${upheldCondition(since)}
    union
    select m.owner_principal_id
    from moderation_actions m
    where m.owner_principal_id = any(${ids}) and ${upheldCondition(since)}`);
  return new Set(rows.map(({ id }) => id));
}

/** Looked up for an account that is returned, and for one that may be above its owner, not for all that are read. */
const ownerLevel = sql`(
        select o.trust_level
        from principals o
        where o.bucket = p.bucket and o.id = p.owner_principal_id
      )`;

/** Lists accounts whose level may have to change: those that can earn one, and agents above their owner. */
export async function listTrustCandidates(db: Db, page: TrustPage): Promise<readonly TrustRow[]> {
  const [from, to] = page.buckets;
  const rows = await db.rows(sql<Omit<TrustRow, 'reported'>>`
    select
      p.bucket, p.id, p.trust_level, p.created_at, ${ownerLevel} as owner_trust_level,
      (
        select count(one)::integer
        from (
          select 1 as one
          from articles a
          where a.bucket = p.bucket and a.author_id = p.id and a.listed
          ${justFirst(page.articlesMax)}
        ) as counted
      ) as articles,
      (
        select count(one)::integer
        from (
          select 1 as one
          from comments_by_author c
          where c.bucket = p.bucket and c.author_id = p.id
          ${justFirst(page.commentsMax)}
        ) as counted
      ) as written
    from principals p
    -- every bucket: recurring work in the background, a few buckets at a time
    where p.bucket >= ${from}
      and p.bucket < ${to}
      and (p.bucket, p.id) > (${page.after.bucket}::smallint, ${page.after.id})
      and (
        p.trust_level < ${page.belowLevel}
          and p.status = 'active'
          and p.created_at <= ${page.madeBefore.toISOString()}
        or p.trust_level > 0 and p.trust_level > ${ownerLevel}
      )
    order by p.bucket, p.id
    ${justFirst(page.limit)}`);
  const reported = await listReported(
    db,
    rows.map(({ id }) => id),
    page.reportsSince,
  );
  return rows.map((row) => ({ ...row, reported: reported.has(row.id) }));
}

const commentsAtOnce = 500;

/** Counts the publicly visible comments of an author on listed articles, up to `max`. */
export async function countVisibleComments(db: Db, author: RowKey, max: number): Promise<number> {
  let visible = 0;
  let before: string | null = null;
  while (visible < max) {
    const written: readonly { readonly id: string }[] = await db.rows(sql<{ id: string }>`
      select comment_id as id
      from comments_by_author
      where bucket = ${author.bucket}
        and author_id = ${author.id}
        and (${before}::text is null or comment_id < ${before})
      order by comment_id desc
      ${justFirst(commentsAtOnce)}`);
    const ids = written.map(({ id }) => id);
    const row = await db.first(sql<{ count: number }>`
      select count(*)::integer as count
      from ${namedIds(ids)}
      join comments c on c.bucket = named.bucket and c.id = named.id
      join articles a on a.bucket = c.bucket and a.id = c.article_id
      where c.status = 'visible' and not c.removed_legally and a.listed`);
    visible += row?.count ?? 0;
    if (ids.length < commentsAtOnce) break;
    before = ids.at(-1) ?? null;
  }
  return Math.min(visible, max);
}

export interface TrustChange extends RowKey {
  readonly from: number;
  readonly to: number;
}

/** Locks accounts of one bucket and their owners until the commit, in the order of their ids. */
function lockAllLevels(tx: Tx, bucket: number, ids: readonly string[]): Promise<number> {
  return tx.run(sql`
    select id
    from principals
    where bucket = ${bucket}
      and id = any(array(
        select unnest(${ids}::text[])
        union
        select a.owner_principal_id
        from principals a
        where a.bucket = ${bucket} and a.id = any(${ids})
      ))
    order by id
    for no key update`);
}

/**
 * Sets levels that have not changed since they were read, and returns how many were set. An agent whose owner was
 * lowered meanwhile is not raised above the owner.
 */
export function setTrustLevels(tx: Tx, changes: readonly TrustChange[]): Promise<number> {
  for (const [bucket, own] of Map.groupBy(changes, (one) => one.bucket)) {
    const ids = own.map(({ id }) => id);
    void lockAllLevels(tx, bucket, ids);
  }
  return tx.run(sql`
    update principals as p
    set trust_level = u.new_level
    from unnest(
      ${changes.map(({ bucket }) => bucket)}::smallint[], ${changes.map(({ id }) => id)}::text[],
      ${changes.map(({ from }) => from)}::smallint[], ${changes.map(({ to }) => to)}::smallint[]
    ) as u (bucket, id, old_level, new_level)
    where p.bucket = u.bucket and p.id = u.id and p.trust_level = u.old_level
      and not exists (
        select 1
        from principals o
        where o.bucket = p.bucket and o.id = p.owner_principal_id and o.trust_level < u.new_level
      )`);
}
