// Statements on articles for pages and feeds: how one stands that is shown, and the HTML of several at once.
import { sql } from '#database';
import type { Db } from '#database';
import { bucketOf } from '#lib/id';
import type { Place } from './articles.ts';

interface StandingRow {
  readonly listed: boolean;
  readonly revised_at: string | null;
  readonly excerpt: string;
}

/** Whether an article stands in lists, when what it shows was first published, and the excerpt of that. */
export function findStanding(db: Db, place: Place): Promise<StandingRow | undefined> {
  return db.first(sql<StandingRow>`
    select a.listed,
      -- An import is backdated: its first revision is no revision of what was there before.
      case when r.previous_revision_id is null then a.published_at else r.published_at end as revised_at,
      c.excerpt
    from articles a
    join revisions r
      on r.bucket = a.bucket
      and r.article_id = a.id
      and r.id = a.published_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.bucket = ${place.bucket} and a.id = ${place.id}`);
}

export interface FeedTextRow {
  readonly id: string;
  readonly bucket: number;
  readonly hash: string;
  readonly revision_id: string;
  readonly revised_at: string;
  /** Of this renderer; null where there is none, or no room for it. */
  readonly html: string | null;
  /** The text as it was written, where it has no HTML and there is room for it. */
  readonly content: string | null;
  /** Nobody has rendered it yet. */
  readonly unrendered: boolean;
}

/** In characters. */
export interface FeedRoom {
  /** Of one text. */
  readonly textMax: number;
  /** Of all texts, in their order: what comes after is not sent. */
  readonly feedMax: number;
}

/** The texts of those articles that are listed at this moment, in the order in which they are named. */
export function listFeedTexts(
  db: Db,
  ids: readonly string[],
  { version, textMax, feedMax }: FeedRoom & { readonly version: string },
): Promise<readonly FeedTextRow[]> {
  return db.rows(sql<FeedTextRow>`
    with texts as (
      select
        named.place, a.id, a.bucket, c.hash, r.id as revision_id,
        coalesce(r.published_at, r.created_at) as revised_at,
        h.html, c.content, h.hash is null as unrendered,
        length(coalesce(h.html, c.content)) as length
      from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) with ordinality
        as named (bucket, id, place)
      join articles a on a.bucket = named.bucket and a.id = named.id
      join revisions r
        on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
      join contents c on c.bucket = r.bucket and c.hash = r.held_hash
      left join renderings h
        on h.bucket = c.bucket
        and h.hash = c.hash
        and h.version = ${version}
      where a.listed
    ),
    measured as (
      select id, bucket, hash, revision_id, revised_at, html, content, unrendered, place,
        length <= ${textMax}
          and sum(length) filter (where length <= ${textMax}) over (order by place) <= ${feedMax}
          as fits
      from texts
    )
    select
      id, bucket, hash, revision_id, revised_at,
      case when fits then html end as html,
      case when fits and html is null then content end as content,
      unrendered
    from measured
    order by place`);
}
