// The row types of articles, revisions and contents, and the columns that several statements select.
import type { moderationActions, moderationSources, reasonCodes } from '@colophon/contract';
import { sql } from '#database';

type Status = 'draft' | 'published' | 'unpublished' | 'hidden' | 'removed' | 'erased';
type Visibility = 'public' | 'unlisted' | 'private';
type Disclosure = 'human_authored' | 'ai_assisted' | 'ai_generated';

/** The columns of an article that do not depend on the revision. */
export interface ArticleRow {
  readonly id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly status: Status;
  readonly visibility: Visibility;
  readonly language: string;
  readonly disclosure: Disclosure;
  readonly canonical_url: string | null;
  readonly featured_media_id: string | null;
  readonly latest_revision_id: string;
  readonly published_revision_id: string | null;
  readonly published_at: string | null;
  readonly created_at: string;
  /** The last change that readers may know of. */
  readonly updated_at: string;
  /** The same for the author, who also knows of revisions that are not published. */
  readonly edited_at: string;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
  readonly deindexed: boolean;
}

export interface AuthorColumns {
  readonly author_kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly model: string | null;
  readonly provider: string | null;
}

export interface RevisionColumns {
  readonly revision_id: string;
  readonly previous_revision_id: string | null;
  readonly content_hash: string;
  readonly signing_base: string;
  readonly signature: string | null;
  readonly signature_key_id: string | null;
  readonly revision_created_at: string;
  readonly revision_published_at: string | null;
  /** Key that signed the revision; null when it is not signed. */
  readonly public_key: string | null;
  readonly key_revoked_at: string | null;
}

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

/** A revision with its article; the text is null after an erasure. */
export interface RevisionRow extends ArticleRow, AuthorColumns, RevisionColumns {
  readonly title: string | null;
  /** JSON text. */
  readonly metadata: string | null;
  readonly content: string | null;
}

/** An article with the revision that is shown. */
export interface ShownRow extends RevisionRow, CountColumns, ModerationColumns {}

export interface ListedRow
  extends ArticleRow, AuthorColumns, RevisionColumns, CountColumns, ModerationColumns {
  readonly title: string;
  readonly metadata: string;
  readonly excerpt: string;
}

/** A removed or hidden image is not featured; it is featured again once restored. */
export const articleColumns = sql`
    a.id, a.author_id, p.owner_principal_id, a.status, a.visibility, a.language, a.disclosure,
    a.canonical_url, a.latest_revision_id, a.published_revision_id,
    a.published_at, a.created_at, a.updated_at, a.removed_at, a.removed_legally, a.reason_code,
    a.deindexed,
    case
      when a.latest_revision_id <> a.published_revision_id then (
        select greatest(a.updated_at, l.created_at)
        from revisions l
        where l.bucket = a.bucket and l.article_id = a.id and l.id = a.latest_revision_id
      )
      else a.updated_at
    end as edited_at,
    (
      select m.id
      from media m
      where m.bucket = a.bucket and m.id = a.featured_media_id and m.status = 'ready' and not m.hidden
    ) as featured_media_id`;

/** Requires `signatureJoin`. */
export const revisionColumns = sql`
    r.id as revision_id, r.previous_revision_id, r.content_hash, r.signing_base, r.signature,
    r.signature_key_id, r.created_at as revision_created_at, r.published_at as revision_published_at,
    k.public_key, k.revoked_at as key_revoked_at`;

/** The key that signed a revision: an author's keys are stored in the author's bucket. */
export const signatureJoin = sql`left join signing_keys k
      on k.bucket = r.bucket and k.id = r.signature_key_id`;

/**
 * An article with one revision, without its counts. Requires `signatureJoin`. The metadata stay text: parsing
 * those of a whole list would block the event loop for 100 ms and more.
 */
export const summaryColumns = sql`
    ${articleColumns},
    a.author_kind, p.username, p.display_name, p.model, p.provider,
    ${revisionColumns},
    c.title, c.metadata::text as metadata`;

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
