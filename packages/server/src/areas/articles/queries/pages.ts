// Statements for pages and feeds: the listing state of one article, and the HTML of several.
import { readById, sql } from '#database';
import type { Db } from '#database';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { shownRevision, signatureJoin } from './articles.ts';

/** When a revision was signed, and the history of the key that signed it; all null without a signature. */
export interface SigningColumns {
  readonly signed_at: string | null;
  readonly key_created_at: string | null;
  readonly key_revoked_at: string | null;
  readonly key_compromised_at: string | null;
}

/** Requires `signatureJoin`. */
const signingColumns = sql`
      r.signed_at, k.created_at as key_created_at, k.revoked_at as key_revoked_at,
      k.compromised_at as key_compromised_at`;

interface ShownStateRow extends SigningColumns {
  readonly listed: boolean;
  readonly revised_at: string | null;
  readonly excerpt: string;
}

const shownState = readById(
  (bucket, id) => sql<ShownStateRow>`
    select a.listed,
      -- An import is backdated: its first revision does not revise anything published here before.
      case when r.previous_revision_id is null then a.published_at else r.published_at end as revised_at,
      c.excerpt, ${signingColumns}
    from articles a
    ${shownRevision.published}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${bucket} and a.id = ${id}`,
);

/**
 * Returns whether an article is listed, when its published revision was first published and how it was signed,
 * and the excerpt.
 */
export function findShownState(db: Db, place: RowKey): Promise<ShownStateRow | undefined> {
  return db.find(shownState, place);
}

export interface RevisionSigningRow extends SigningColumns {
  readonly id: string;
}

/** Returns how these revisions of an article were signed. Revisions that were never published are omitted. */
export function listSignings(
  db: Db,
  place: RowKey,
  ids: readonly string[],
): Promise<readonly RevisionSigningRow[]> {
  return db.rows(sql<RevisionSigningRow>`
    select r.id, ${signingColumns}
    from articles a
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = any(${ids})
    ${signatureJoin}
    where a.bucket = ${place.bucket}
      and a.id = ${place.id}
      and a.status = 'published'
      and a.visibility <> 'private'
      and r.published_at is not null
      and r.signature is not null
    order by r.id`);
}

export interface FeedTextRow {
  readonly id: string;
  readonly bucket: number;
  readonly hash: string;
  readonly revision_id: string;
  readonly revised_at: string;
  /** HTML of this renderer; null when there is none, or no room for it. */
  readonly html: string | null;
  /** The original text, when there is no HTML and there is room for it. */
  readonly content: string | null;
  /** Whether no rendering of the text is stored yet. */
  readonly unrendered: boolean;
}

/** Limits of a feed, in characters. */
export interface FeedRoom {
  /** For one text. */
  readonly textMax: number;
  /** For all texts, in their order: texts beyond it are not sent. */
  readonly feedMax: number;
}

/** Returns the texts of those articles that are listed now, in the order of the ids. */
export function listFeedTexts(
  db: Db,
  ids: readonly string[],
  { version, textMax, feedMax }: FeedRoom & { readonly version: string },
): Promise<readonly FeedTextRow[]> {
  return db.rows(sql<FeedTextRow>`
    -- never null: the version
    with texts as (
      select
        named.place, a.id, a.bucket, c.hash, r.id as revision_id,
        coalesce(r.published_at, r.created_at) as revised_at,
        h.html, c.content, h.hash is null as unrendered,
        length(coalesce(h.html, c.content)) as length
      from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) with ordinality
        as named (bucket, id, place)
      join articles a on a.bucket = named.bucket and a.id = named.id
      ${shownRevision.published}
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
