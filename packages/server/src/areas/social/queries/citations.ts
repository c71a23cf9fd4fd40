// Statements on the articles that cite an article, and on the authors notified of its changes.
import { namedIds, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { EdgeTarget } from './edge-lists.ts';

export interface CitingRow {
  readonly id: string;
  readonly src_article_id: string;
}

/** Lists the edges to an article, oldest first, after the given one. */
export function listCiting(
  db: Db,
  target: EdgeTarget,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly CitingRow[]> {
  return db.rows(sql<CitingRow>`
    select e.id, e.src_article_id
    from incoming_edges e
    where e.bucket = ${target.bucket} and e.dst_key = ${target.key} and e.id > ${page.after}
    order by e.id
    limit ${page.limit}`);
}

/**
 * Returns when a removed article was removed for the first time since it was last there. A moderator's removal
 * of what was removed already gives it a later date, and its reversal gives the earlier one back.
 */
export async function findFirstRemoval(db: Db, article: RowKey): Promise<string | null> {
  const row = await db.first(sql<{ first_removed_at: string | null }>`
    select
      coalesce(
        (
          select
            case
              when m.previous ->> 'status' in ('unpublished', 'removed', 'erased')
              then (m.previous ->> 'removed_at')::timestamptz
              else m.created_at
            end
          from moderation_actions m
          where m.bucket = a.bucket
            and m.target_type = 'article'
            and m.target_id = a.id
            and m.action = 'remove'
            and m.lifted_at is null
          order by m.id
          limit 1
        ),
        a.removed_at
      ) as first_removed_at
    from articles a
    where a.bucket = ${article.bucket} and a.id = ${article.id}`);
  return row?.first_removed_at ?? null;
}

export interface CiterRow {
  readonly article_id: string;
  readonly author_id: string;
}

/** Returns the authors of those articles that still exist, in the order of the authors' ids. */
export async function listCiters(
  db: Db,
  articleIds: readonly string[],
): Promise<readonly CiterRow[]> {
  if (articleIds.length === 0) return [];
  return db.rows(sql<CiterRow>`
    select a.id as article_id, a.author_id
    from ${namedIds(articleIds)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    where a.status in ('draft', 'published', 'hidden')
    order by a.author_id, a.id`);
}

/** Stores the recipients of a change and returns those who were not notified before. */
export async function insertCitationNotifications(
  tx: Tx,
  change: string,
  principalIds: readonly string[],
  now: Date,
): Promise<readonly string[]> {
  const rows = await tx.rows(sql<{ principal_id: string }>`
    insert into citation_notifications (bucket, principal_id, change, notified_at)
    select named.bucket, named.id, ${change}, ${now.toISOString()}::timestamptz
    from ${namedIds(principalIds)}
    on conflict on constraint citation_notifications_change_pkey do nothing
    returning principal_id`);
  return rows.map((row) => row.principal_id);
}
