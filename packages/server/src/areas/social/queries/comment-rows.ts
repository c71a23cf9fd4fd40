// The row types of comments, and the columns that several statements select.
import type { ModerationAction, ModerationSource, ReasonCode } from '@colophon/contract';
import { sql } from '#database';

export type Stance =
  | 'supports'
  | 'disagrees'
  | 'challenges'
  | 'clarifies'
  | 'asks'
  | 'cites'
  | 'summarizes';
export type CommentStatus = 'visible' | 'deleted' | 'hidden' | 'removed';

/** The state of a comment, and its author. */
export interface CommentState {
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly status: CommentStatus;
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
}

export interface CommentRow extends CommentState {
  readonly id: string;
  readonly article_id: string;
  readonly parent_comment_id: string | null;
  readonly root_comment_id: string | null;
  readonly depth: number;
  readonly stance: Stance | null;
  readonly content: string | null;
  readonly created_at: string;
  /** The moderation action in force; null: none. */
  readonly moderation: {
    readonly action_id: string;
    readonly action: ModerationAction;
    readonly reason_code: ReasonCode;
    readonly source: ModerationSource;
    readonly created_at: string;
  } | null;
}

/** The columns that decide who may see the article of a comment. */
export interface ArticleColumns {
  readonly article_author_id: string;
  readonly article_owner_id: string | null;
  readonly article_status: 'draft' | 'published' | 'unpublished' | 'hidden' | 'removed' | 'erased';
  readonly article_visibility: 'public' | 'unlisted' | 'private';
  readonly article_published_revision_id: string | null;
  readonly article_removed_at: string | null;
  readonly article_removed_legally: boolean;
  readonly article_reason_code: string | null;
}

export interface CommentInArticle extends CommentRow, ArticleColumns {}

/** The article and parent of a new comment; the parent's columns are null when there is none. */
export interface Target extends ArticleColumns {
  readonly article_id: string;
  readonly parent_id: string | null;
  readonly parent_article_id: string | null;
  readonly parent_author_id: string | null;
  readonly parent_owner_id: string | null;
  readonly parent_status: CommentStatus | null;
  readonly parent_removed_at: string | null;
  readonly parent_removed_legally: boolean | null;
  readonly parent_reason_code: string | null;
  readonly root_comment_id: string | null;
  readonly depth: number;
  readonly made: boolean;
}

export interface AuthorRow {
  readonly id: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly owner_principal_id: string | null;
  readonly model: string | null;
  readonly provider: string | null;
}

/** Columns of `comments c`. Actions are read only for a comment with an action in force. */
export const commentColumns = sql`
    c.id, c.article_id, c.parent_comment_id, c.root_comment_id, c.depth, c.stance, c.author_id,
    c.owner_principal_id, c.status, c.content, c.created_at, c.removed_at, c.removed_legally,
    c.reason_code,
    case when c.moderation_action_id is not null then (
      select json_build_object(
        'action_id', m.id, 'action', m.action, 'reason_code', m.reason_code, 'source', m.source,
        'created_at', to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )
      from moderation_actions m
      where m.bucket = c.bucket and m.id = c.moderation_action_id
    ) end as moderation`;

/** Columns of `articles a` and its author `principals p`. */
export const articleColumns = sql`
    a.author_id as article_author_id, p.owner_principal_id as article_owner_id,
    a.status as article_status, a.visibility as article_visibility,
    a.published_revision_id as article_published_revision_id, a.removed_at as article_removed_at,
    a.removed_legally as article_removed_legally, a.reason_code as article_reason_code`;
