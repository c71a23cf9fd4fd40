// An article with the revision that is shown, its counts and the moderation in force: columns, and reading one.
import type { moderationActions, moderationSources, reasonCodes } from '@colophon/contract';
import { sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import { signatureJoin, summaryColumns } from './articles.ts';
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

/**
 * Returns an article with the revision for the viewer: the published one, or the newest when there is none or
 * when the author or owner requests it.
 */
export function findShown(
  db: Db,
  key: RowKey,
  latestFor: string | null,
): Promise<ShownRow | undefined> {
  return db.first(sql<ShownRow>`
    select ${shownColumns}, c.content
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r
      on r.bucket = a.bucket
      and r.article_id = a.id
      and r.id = case
        when a.published_revision_id is null
          or ${latestFor}::text in (a.author_id, p.owner_principal_id)
        then a.latest_revision_id
        else a.published_revision_id
      end
    left join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    ${signatureJoin}
    where a.bucket = ${key.bucket} and a.id = ${key.id}`);
}
