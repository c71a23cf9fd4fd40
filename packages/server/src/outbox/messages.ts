// What may be written into the outbox, and what runs when it arrives.
import type { Treatment } from '@colophon/contract';
import type { Database } from '#database';

/** Something that decides how an article is shown changed: read its present state, not this message. */
export interface ArticleChanged {
  readonly type: 'article.changed';
  readonly payload: { readonly article_id: string };
}

/** The language of a published article was corrected. */
export interface LanguageChanged {
  readonly type: 'language.changed';
  readonly payload: { readonly article_id: string };
}

/** The changes of an article's counts grow many: add them up. */
export interface CountsGrew {
  readonly type: 'counts.grew';
  readonly payload: { readonly article_id: string };
}

/** Whoever answers for an article said that it was superseded, corrected or retracted. */
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

/** An article was erased: what was made of its text goes, and the erasure is kept outside the database. */
export interface ArticleErased {
  readonly type: 'article.erased';
  readonly payload: {
    readonly article_id: string;
    readonly author_id: string;
    /** What its texts may have named as files. */
    readonly media_ids: readonly string[];
  };
}

/** A person left: what their works become is treated area by area, each with its own progress. */
export interface PrincipalClosed {
  readonly type: 'principal.closed';
  readonly payload: {
    readonly principal_id: string;
    readonly treatment: Treatment;
  };
}

/** An image has its bytes, and nobody has looked at them. */
export interface MediaReady {
  readonly type: 'media.ready';
  readonly payload: { readonly media_id: string };
}

/** Names in the media store that no row refers to any more. */
export interface BytesFreed {
  readonly type: 'bytes.freed';
  readonly payload: { readonly names: readonly string[] };
}

/** A comment was written, taken away or given back: read its present state. It lies in its article's bucket. */
export interface CommentChanged {
  readonly type: 'comment.changed';
  readonly payload: {
    readonly article_id: string;
    readonly comment_id: string;
    readonly author_id: string;
    /** Who answers for the author: the owner of an agent, or the author. */
    readonly owner_id: string;
  };
}

/** What is shown of a principal, or whether it is shown, has changed: read its present state. */
export interface PrincipalChanged {
  readonly type: 'principal.changed';
  readonly payload: { readonly principal_id: string };
}

/** An edge to an article was announced, or is gone. It belongs to the bucket of what it points to. */
export interface EdgeChanged {
  readonly type: 'edge.changed';
  readonly payload: { readonly dst_article_id: string; readonly author_id: string };
}

/** Somebody followed a principal, or does no more. It belongs to the bucket of who is followed. */
export interface FollowChanged {
  readonly type: 'follow.changed';
  readonly payload: { readonly followee_id: string; readonly follower_id: string };
}

/** Every message of every area, told apart by `type`. */
export type Message =
  | ArticleChanged
  | ArticleErased
  | BytesFreed
  | CitationChanged
  | CommentChanged
  | CountsGrew
  | EdgeChanged
  | FollowChanged
  | LanguageChanged
  | MediaReady
  | PrincipalChanged
  | PrincipalClosed;

/** A message on its way in: it belongs to the bucket of what it is about. */
export type Outgoing<M extends Message = Message> = M & { readonly bucket: number };

/** A message as a subscriber gets it. `id` is the outbox row's, `created_at` its time. */
export type Delivered<M extends Message = Message> = Outgoing<M> & {
  readonly id: string;
  readonly created_at: string;
};

/** Where the outbox writes what it does. A pino logger fits. */
export interface Log {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What a subscriber and a recurring task may use. */
export interface SubscriberServices {
  readonly db: Database;
  readonly log: Log;
  now(): Date;
}

/**
 * Which of the jobs that are ready run first: `urgent` what somebody was promised or looks for at once,
 * `normal` what readers see, `low` what crawlers read, `background` what only orders lists, `idle` what is
 * done when nothing else waits.
 */
export type Priority = 'urgent' | 'normal' | 'low' | 'background' | 'idle';

/** Slow work. What waits in one lane does not hold up another. */
export type Lane = 'decode' | 'draw' | 'reindex';

/**
 * What happens when a message of `type` arrives. It runs at least once, in any order, perhaps twice at
 * the same time, so it must be idempotent; when it throws it is run again later. Equal messages that wait
 * become one, so it must look at the present state. `name` is unique per
 * type and stays as it is: waiting jobs are found by it.
 */
export interface Subscriber<M extends Message = Message> {
  readonly type: M['type'];
  readonly name: string;
  /** `normal` unless it is given. */
  readonly priority?: Priority;
  /** One of the lane at a time in a process: they would take the places of all that somebody waits for. */
  readonly alone?: Lane;
  run(message: Delivered<M>, services: SubscriberServices): Promise<void>;
  /**
   * How it takes several messages in one job. When this throws, `run` is called for each of them, so that a
   * message that fails does not keep the others from being done.
   */
  readonly many?: {
    /** Messages in one job, at most. */
    readonly atOnce: number;
    run(messages: readonly Delivered<M>[], services: SubscriberServices): Promise<void>;
  };
}

/** Work that recurs, run by one process at a time. Times are UTC. */
export type Recurring = {
  readonly name: string;
  run(services: SubscriberServices): Promise<void>;
} & ({ readonly everyMinutes: number } | { readonly cron: string });
