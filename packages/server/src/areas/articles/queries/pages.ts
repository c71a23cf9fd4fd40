// Statements on articles for pages and feeds: how one stands that is shown, and the HTML of several at once.
import { sql } from '#database';
import type { Db } from '#database';
import { bucketOf } from '#lib/id';
import type { Place } from './articles.ts';

interface StandingRow {
  readonly listed: boolean;
  readonly revised_at: string | null;
}

/** Whether an article stands in lists, and when what it shows was first published. */
export function findStanding(db: Db, place: Place): Promise<StandingRow | undefined> {
  return db.first(sql<StandingRow>`
    select a.listed, r.published_at as revised_at
    from articles a
    join revisions r
      on r.bucket = a.bucket
      and r.article_id = a.id
      and r.id = a.published_revision_id
    where a.bucket = ${place.bucket} and a.id = ${place.id}`);
}

export interface FeedTextRow {
  readonly id: string;
  readonly bucket: number;
  readonly hash: string;
  readonly revision_id: string;
  readonly revised_at: string;
  /** Of this renderer; null where there is none, or it is longer than asked for. */
  readonly html: string | null;
  /** The text as it was written, where it has no HTML and is not longer than asked for. */
  readonly content: string | null;
  /** Nobody has rendered it yet. */
  readonly unrendered: boolean;
}

/** The texts of articles that are listed at this moment, in no order, each of at most so many characters. */
export function listFeedTexts(
  db: Db,
  ids: readonly string[],
  { version, lengthMax }: { readonly version: string; readonly lengthMax: number },
): Promise<readonly FeedTextRow[]> {
  return db.rows(sql<FeedTextRow>`
    select
      a.id, a.bucket, c.hash, r.id as revision_id,
      coalesce(r.published_at, r.created_at) as revised_at,
      case when length(h.html) <= ${lengthMax} then h.html end as html,
      case when h.html is null and length(c.content) <= ${lengthMax} then c.content end as content,
      h.hash is null as unrendered
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) as named (bucket, id)
    join articles a on a.bucket = named.bucket and a.id = named.id
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    left join renderings h
      on h.bucket = c.bucket
      and h.hash = c.hash
      and h.version = ${version}
    where a.listed
    order by a.id desc`);
}
