// Articles with the revision that is shown, their counts and the moderation in force: the columns, reading one, and
// those of some ids that are listed now, whatever a derived row says.
import type { moderationActions, moderationSources, reasonCodes } from '@colophon/contract';
import { namedIds, nothing, readById, sql } from '#database';
import type { Db, KeyMember, Statement } from '#database';
import type { RowKey } from '#lib/id';
import { revisionAs, shownRevision, signatureJoin, summaryColumns } from './articles.ts';
import type { ArticleRow, AuthorColumns, RevisionColumns, RevisionRow } from './articles.ts';

export interface CountColumns {
  readonly comments_count: number;
  readonly edges_in_count: number;
  readonly edges_out_count: number;
  /** Changes of comments, edges in and edges out that are not added to the counts yet. */
  readonly counts_ahead: readonly [comments: number, edgesIn: number, edgesOut: number];
}

/** The moderation action in force; null: none. */
export interface ModerationColumns {
  readonly moderation: {
    readonly action_id: string;
    readonly action: (typeof moderationActions)[number];
    readonly reason_code: (typeof reasonCodes)[number];
    readonly source: (typeof moderationSources)[number];
    readonly created_at: string;
  } | null;
}

/** An article with the revision that is shown. */
export interface ShownRow extends RevisionRow, CountColumns, ModerationColumns {}

export interface ListedRow
  extends ArticleRow, AuthorColumns, RevisionColumns, CountColumns, ModerationColumns {
  readonly title: string;
  readonly metadata: string;
  readonly excerpt: string;
}

/**
 * The count columns of `articles a`, and in one lookup the changes that are not added up yet. At most 1,000
 * changes are read, so that the cost per article is bounded; the rest waits for the next folding.
 */
const countColumns = sql`
    a.comments_count, a.edges_in_count, a.edges_out_count,
    (
      select array[
        coalesce(sum(d.comments), 0)::integer,
        coalesce(sum(d.edges_in), 0)::integer,
        coalesce(sum(d.edges_out), 0)::integer
      ]
      from (
        select comments, edges_in, edges_out
        from article_count_deltas
        where bucket = a.bucket and article_id = a.id
        limit 1000
      ) as d
    ) as counts_ahead`;

/** Actions are read only for an article with an action in force. */
const moderationColumn = sql`
    case when a.moderation_action_id is not null then (
      select json_build_object(
        'action_id', m.id, 'action', m.action, 'reason_code', m.reason_code, 'source', m.source,
        'created_at', to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )
      from moderation_actions m
      where m.bucket = a.bucket and m.id = a.moderation_action_id
    ) end as moderation`;

/** Requires `signatureJoin`. */
export const shownColumns = sql`
    ${summaryColumns},
    ${countColumns},
    ${moderationColumn}`;

/** Text of the revision for the viewer `latestFor`: the id of the author or owner, or null for everybody else. */
function shownRow(bucket: KeyMember, id: KeyMember, latestFor: string | null): Statement<ShownRow> {
  return sql<ShownRow>`
    select ${shownColumns}, c.content
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${revisionAs(
      sql`case
        when a.published_revision_id is null
          or ${latestFor}::text in (a.author_id, p.owner_principal_id)
        then a.latest_revision_id
        else a.published_revision_id
      end`,
      bucket,
    )}
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${bucket} and a.id = ${id}`;
}

/** Reads the published revision of an article, or the newest one if none is published. */
export const shownArticle = readById((bucket, id) => shownRow(bucket, id, null));

/** Returns an article with the published revision, or with the newest one if none is published. */
export function findShown(db: Db, key: RowKey): Promise<ShownRow | undefined> {
  return db.find(shownArticle, key);
}

/** Returns the same with the newest revision, if `viewerId` is the author or the owner. */
export function findLatest(
  db: Db,
  { bucket, id }: RowKey,
  viewerId: string,
): Promise<ShownRow | undefined> {
  return db.first(shownRow(bucket, id, viewerId));
}

/** A piece of a text in characters; `from` starts at 1. */
export interface Piece {
  readonly from: number;
  readonly length: number;
}

const pieceColumn = ({ from, length }: Piece) =>
  sql`substr(c.content, ${from}::integer, ${length}::integer) as piece`;

function listedRows(ids: readonly string[], more: Statement): Statement<ListedRow> {
  return sql<ListedRow>`
    select ${shownColumns}, c.excerpt${more}
    from ${namedIds(ids)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    ${shownRevision.published}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.listed
    order by a.id desc`;
}

/** Returns the listed articles with these ids, unordered. */
export function listListedOf(db: Db, ids: readonly string[]): Promise<readonly ListedRow[]> {
  return db.rows(listedRows(ids, nothing));
}

/** Returns the same with a piece of each text, unordered. */
export function listListedWithPiece(
  db: Db,
  ids: readonly string[],
  piece: Piece,
): Promise<readonly (ListedRow & { readonly piece: string })[]> {
  return db.rows(
    listedRows(ids, sql`, ${pieceColumn(piece)}`) as Statement<
      ListedRow & { readonly piece: string }
    >,
  );
}

/** Returns only a piece of each text, unordered. */
export function listListedPieces(
  db: Db,
  ids: readonly string[],
  piece: Piece,
): Promise<readonly { readonly id: string; readonly piece: string }[]> {
  return db.rows(sql<{ readonly id: string; readonly piece: string }>`
    select a.id, ${pieceColumn(piece)}
    from ${namedIds(ids)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    ${shownRevision.published}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.listed
    order by a.id desc`);
}
