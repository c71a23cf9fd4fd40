// The messages of the outbox.
import type { Treatment } from '@colophon/contract';

/** Something that decides how an article is shown changed. Read its present state, not this message. */
export interface ArticleChanged {
  readonly type: 'article.changed';
  readonly payload: {
    readonly article_id: string;
    readonly publication?: PastPublication;
  };
}

/** A publication that the present state of its article does not show. */
export interface PastPublication {
  readonly revision_id: string;
  readonly signature: string | null;
  readonly signature_key_id: string | null;
  /** When a revision that had been published before was published again; null: its signature was replaced. */
  readonly again_at: string | null;
  /** Whether readers got it when this message was sent. Earlier versions send none. */
  readonly shown?: boolean;
}

/** A signing key was registered, revoked or reported as compromised. Read its present state. */
export interface KeyChanged {
  readonly type: 'key.changed';
  readonly payload: {
    readonly key_id: string;
    /** Since when the key was compromised, as far as was known after this change. A later one may move it back. */
    readonly compromised_at: string | null;
  };
}

/** A moderation action was recorded. It never changes, except for its appeal. */
export interface ActionRecorded {
  readonly type: 'action.recorded';
  readonly payload: { readonly action_id: string };
}

/** The language of a published article was corrected. */
export interface LanguageChanged {
  readonly type: 'language.changed';
  readonly payload: { readonly article_id: string };
}

/** The machine was too busy to detect the language of a new article. */
export interface LanguageUnknown {
  readonly type: 'language.unknown';
  readonly payload: { readonly article_id: string };
}

/** The published text of an article is long and still has to be indexed for search. Read its present state. */
export interface IndexingPostponed {
  readonly type: 'indexing.postponed';
  readonly payload: { readonly article_id: string };
}

/** The counts of an article changed. The changes have accumulated: add them up. */
export interface CountsGrew {
  readonly type: 'counts.grew';
  readonly payload: { readonly article_id: string };
}

/** The owner of an article declared that it was superseded, corrected or retracted. */
export interface CitationChanged {
  readonly type: 'citation.changed';
  readonly payload: {
    readonly article_id: string;
    readonly change: 'superseded' | 'corrected' | 'retracted';
    readonly edge_id: string;
    readonly src_article_id: string;
    readonly actor_id: string;
  };
}

/**
 * An article was erased: the rows derived from its text are deleted, and the erasure is recorded outside
 * the database.
 */
export interface ArticleErased {
  readonly type: 'article.erased';
  readonly payload: {
    readonly article_id: string;
    readonly author_id: string;
    /** The files that its texts may refer to. */
    readonly media_ids: readonly string[];
    /** The erasure is in `pending_erasures`. Absent: an earlier version of the code erased the article. */
    readonly is_pending?: true;
  };
}

/** An account was closed. Each area treats the account's works separately, with its own progress. */
export interface PrincipalClosed {
  readonly type: 'principal.closed';
  readonly payload: {
    readonly principal_id: string;
    readonly treatment: Treatment;
  };
}

/** The bytes of an image have arrived and have not been examined yet. */
export interface MediaReady {
  readonly type: 'media.ready';
  readonly payload: { readonly media_id: string };
}

/** An export has steps left. */
export interface ExportRequested {
  readonly type: 'export.requested';
  readonly payload: { readonly export_id: string };
}

/** A comment was deleted or removed. The message belongs to the bucket of its author. */
export interface CommentDeleted {
  readonly type: 'comment.deleted';
  readonly payload: {
    readonly comment_id: string;
    readonly author_id: string;
    /**
     * Two removals of one comment, with a restoration between them, are two messages: each takes back what was copied
     * before it. Absent: an earlier version of the code removed the comment.
     */
    readonly removed_at?: string;
  };
}

/** Names in the media store that no row refers to any more. */
export interface BytesFreed {
  readonly type: 'bytes.freed';
  readonly payload: { readonly names: readonly string[] };
}

/**
 * A comment was written, removed or restored. Read its present state. It belongs to its article's bucket.
 */
export interface CommentChanged {
  readonly type: 'comment.changed';
  readonly payload: {
    readonly article_id: string;
    readonly comment_id: string;
    readonly author_id: string;
    /** The owner of an agent, or the author if the author is a person. */
    readonly owner_id: string;
  };
}

/** What is shown of a principal, or whether it is shown, changed. Read its present state. */
export interface PrincipalChanged {
  readonly type: 'principal.changed';
  readonly payload: { readonly principal_id: string };
}

/** An edge to an article was added or removed. It belongs to the bucket of its target. */
export interface EdgeChanged {
  readonly type: 'edge.changed';
  readonly payload: { readonly dst_article_id: string; readonly author_id: string };
}

/** A principal was followed or unfollowed. The message belongs to the bucket of the followed principal. */
export interface FollowChanged {
  readonly type: 'follow.changed';
  readonly payload: { readonly followee_id: string; readonly follower_id: string };
}

/** Every message of every area, distinguished by `type`. */
export type Message =
  | ActionRecorded
  | ArticleChanged
  | ArticleErased
  | BytesFreed
  | CitationChanged
  | CommentChanged
  | CommentDeleted
  | CountsGrew
  | EdgeChanged
  | ExportRequested
  | FollowChanged
  | IndexingPostponed
  | KeyChanged
  | LanguageChanged
  | LanguageUnknown
  | MediaReady
  | PrincipalChanged
  | PrincipalClosed;

/** A message to append. It belongs to the bucket of its subject. */
export type Outgoing<M extends Message = Message> = M & { readonly bucket: number };

/** A message as delivered to a subscriber. `id` is the outbox row's, `created_at` its time. */
export type Delivered<M extends Message = Message> = Outgoing<M> & {
  readonly id: string;
  readonly created_at: string;
  /** The span that caused it (W3C Trace Context), if it was traced. */
  readonly traceparent?: string;
};
