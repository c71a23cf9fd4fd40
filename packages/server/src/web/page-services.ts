// What the web uses: operations in process, and the few functions that are not operations.
import type { AnswerOf, EventType, OperationName, Operations } from '@colophon/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#config';
import type { Caller, Invoke, LimitAnonymous, ReadForm } from '#http';
import type { Client, MarkedHunk } from '@colophon/text';
import type { Decision, DeskServices, MonthCounts } from './desk-services.ts';
import type { ServiceStatus } from './status-services.ts';
import type { TextSize } from './text-size.ts';

type Body<N extends OperationName> = Extract<AnswerOf<Operations[N]>, { status: 200 }>['body'];

export type Article = Body<'readArticle'>;
export type ArticleList = Body<'listArticles'>;
export type Summary = ArticleList['items'][number];
/** An article with the excerpt of the text that is shown. */
export type ShownArticle = Article & Pick<Summary, 'excerpt'>;
export type Author = Summary['author'];
export type Principal = Body<'readUsername'>;
export type KeyList = Body<'listKeys'>;
export type Quota = Body<'readQuota'>['quotas'][number];
export type ExportList = Body<'listExports'>;
export type TokenList = Body<'listTokens'>;
export type CommentList = Body<'listComments'>;
export type Comment = CommentList['items'][number];
export type Stances = Body<'readStances'>;
export type Revision = Body<'listRevisions'>['items'][number];
export type Diff = Body<'readDiff'>;
export type Media = Body<'listMedia'>['items'][number];
export type Topic = Body<'listTopics'>['items'][number];
export type EdgeList = Body<'listArticleEdges'>;
export type Edge = EdgeList['items'][number];

/** An event of a person, with what it mentions as far as the person may see it now. */
export interface Notification {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly unread: boolean;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly actor: Author | null;
  /** The subject, if it is a participant. */
  readonly principal: Author | null;
  /** The agent of the reader on which, or on whose work, a moderator acted; without a username if it is in no list. */
  readonly agent?: { readonly username: string | undefined };
  /** Whether it is about a decision that the reader can appeal now. */
  readonly canAppeal: boolean;
  readonly article: Edge['article'];
  /** The article that links to it, or the person's own that cites it. */
  readonly other: Edge['article'];
  readonly subject_type: string;
  readonly subject_id: string;
  /** The text of the comment, as Markdown. */
  readonly comment: string | null;
}

export interface NotificationList {
  readonly items: readonly Notification[];
  readonly next_cursor: string | null;
}

/** The text of an article that is listed now, for a feed. */
export interface FeedText {
  readonly revision_id: string;
  /** When the revision was first published. */
  readonly revised_at: string;
  /** Safe HTML; null when it is too long for a feed. */
  readonly html: string | null;
  /** false: it was not in the store yet, so a later attempt may give a better result. */
  readonly kept: boolean;
}

/** When a revision was signed, and the history of the key that signed it. */
export interface Signing {
  readonly signed_at: string;
  readonly key_created_at: string;
  readonly key_revoked_at: string | null;
  /** Since when somebody else may have had the key. */
  readonly key_compromised_at: string | null;
}

export interface ShownState {
  /** Whether it appears in lists: it is neither unlisted nor deindexed by a moderator. */
  readonly listed: boolean;
  /** When the revision that is shown was first published. */
  readonly revised_at: string | null;
  /** The excerpt of the text that is shown. */
  readonly excerpt: string;
  /** How the revision that is shown was signed; null without a signature. */
  readonly signing: Signing | null;
}

/** A heading of a text, with the id that it has in the HTML. */
export interface TextHeading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** The HTML of a text. `kept` is false when a later attempt may give a better result. */
export interface RenderedText {
  readonly html: string;
  readonly kept: boolean;
}

/** A text of an article: the one that is shown, or that of a revision. */
export type RenderedArticle = Pick<Article, 'id' | 'content_hash' | 'content'>;

export interface RenderedArticleText extends RenderedText {
  readonly headings: readonly TextHeading[];
}

/** A page of the person's own articles; all states and visibilities where undefined. */
export interface OwnInput {
  readonly status?: string | undefined;
  readonly visibility?: string | undefined;
  /** The id of the last article of the previous page. */
  readonly before: string | undefined;
}

/** Each of these checks visibility in the statement that reads the row. */
export interface ArticleServices {
  /** Returns the status of an article that is read by its URL. */
  readonly shownState: (id: string) => Promise<ShownState>;
  /** Returns the text as safe HTML, and its headings. */
  readonly rendered: (article: RenderedArticle) => Promise<RenderedArticleText>;
  /** Returns how published revisions of an article that everyone may read were signed, by revision. */
  readonly signings: (
    articleId: string,
    revisionIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Signing>>;
  /** Returns the texts of those ids that are listed now. */
  readonly feedTexts: (ids: readonly string[]) => Promise<ReadonlyMap<string, FeedText>>;
  /** Returns the articles with these ids that are listed now, in the order of the ids. */
  readonly listed: (ids: readonly string[]) => Promise<readonly Summary[]>;
  /** Returns the text as Markdown with front matter. */
  readonly markdown: (article: Article) => Promise<string>;
  /** Returns a page of the caller’s own articles in every state, newest first. */
  readonly own: (caller: Caller, input: OwnInput) => Promise<ArticleList>;
  /** Returns a page of what the caller's agents have written and readers do not see, newest first. */
  readonly ofAgents: (caller: Caller, before: string | undefined) => Promise<ArticleList>;
  /** Returns the sizes of the texts of revisions of an article of the caller or of the caller's agent. */
  readonly sizes: (
    caller: Caller,
    articleId: string,
    revisionIds: readonly string[],
  ) => Promise<ReadonlyMap<string, TextSize>>;
}

/** A comment with quotations, as rendered. */
export interface QuotingComment extends Pick<Comment, 'id' | 'created_at'> {
  readonly html: string;
}

/** A comment with quotations of the article that are no longer in it. */
export interface ChangedSince {
  readonly id: string;
  /** The positions of its outermost quotes, from 0. */
  readonly quotes: readonly number[];
  /** The revision that was shown when it was written. */
  readonly revision_id: string;
}

/** A page of the comments on an article. */
export interface ThreadPage {
  readonly after: string | undefined;
  readonly limit: number;
}

/** The versions of the rows that a page of comments shows. */
export interface ThreadPrint {
  readonly comments: string;
  readonly authors: string;
  readonly authorIds: readonly string[];
  readonly stances: string;
}

/** The comments on articles that everyone may read, as everyone sees them; the statements check visibility. */
export interface ThreadServices {
  readonly read: (
    articleId: string,
    page: ThreadPage,
  ) => Promise<CommentList & { readonly print: ThreadPrint; readonly stances: Stances | null }>;
  /** Whether the page would be read as it was when the print was made. */
  readonly isSame: (articleId: string, page: ThreadPage, print: ThreadPrint) => Promise<boolean>;
}

/** How many works are of a week, which begins on this Monday in UTC: `2026-11-23`. */
export interface WeekCount {
  readonly week: string;
  readonly count: number;
}

/** What a participant did in a year, and what others made of it. Each count is bounded. */
export interface Reception {
  /** The first week. */
  readonly since: string;
  readonly articles: readonly WeekCount[];
  readonly comments: readonly WeekCount[];
  /** Links by other persons, of any week. */
  readonly citations: readonly WeekCount[];
  readonly cited: number;
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
  readonly newest: readonly {
    readonly id: string;
    readonly kind: Edge['kind'];
    readonly created_at: string;
    readonly source: NonNullable<Edge['article']>;
    readonly target: NonNullable<Edge['article']>;
  }[];
}

/** The works of an account and its agents. Each count is bounded. */
export interface Works {
  readonly articles: number;
  readonly drafts: number;
  /** In any state. */
  readonly comments: number;
  readonly agents: number;
  readonly agent_articles: number;
  readonly agent_drafts: number;
  readonly agent_comments: number;
}

/** How an agent is used, by its newest tokens. */
export interface AgentUse {
  /** Tokens that are valid now. */
  readonly tokens: number;
  readonly last_used_at: string | null;
}

export interface PageServices {
  readonly config: Config;
  readonly invoke: Invoke;
  readonly articles: ArticleServices;
  readonly desk: DeskServices;
  /** Returns an action with its appeal to the author of its target and the author's owner; undefined for others. */
  readonly decision: (caller: Caller, actionId: string) => Promise<Decision | undefined>;
  /** Returns the public counts of the last twelve months that have any; kept for some minutes. */
  readonly months: () => Promise<readonly MonthCounts[]>;
  /** What the operator's doctor finds, with figures. */
  readonly status: () => Promise<ServiceStatus>;
  readonly threads: ThreadServices;
  /** Returns the newest visible comments on an article that is readable by its URL. */
  readonly newestComments: (articleId: string, limit: number) => Promise<readonly Comment[]>;
  /** Whether a participant who is readable by name also appears in lists. */
  readonly isFindable: (principalId: string) => Promise<boolean>;
  /** Returns the past year of a participant: what everybody can find of it now. */
  readonly receptionOf: (participant: Principal) => Promise<Reception>;
  /** Renders a comment or a guide as safe HTML, with its headings below one of level `below`. */
  readonly renderShort: (
    markdown: string,
    below: number,
    client: Client | undefined,
  ) => Promise<RenderedText>;
  /**
   * Returns the comments with quotations of the article that have changed since they were written; undefined while
   * the thread is busy.
   */
  readonly changedQuotes: (
    article: Article,
    comments: readonly QuotingComment[],
    client: Client | undefined,
  ) => Promise<readonly ChangedSince[] | undefined>;
  /** Returns the hunks of a diff with the words that differ. */
  readonly markWords: (
    hunks: Diff['hunks'],
    client: Client | undefined,
  ) => Promise<readonly MarkedHunk[]>;
  readonly limitAnonymous: LimitAnonymous;
  /** Returns whose session a request has; null without one. */
  readonly callerOf: (
    headers: FastifyRequest['headers'],
    address: string,
  ) => Promise<Caller | null>;
  readonly readForm: ReadForm;
  /** Returns a page of notifications, newest first: those before an id, of some types. */
  readonly notifications: (
    caller: Caller,
    query: {
      readonly before: string | undefined;
      readonly types: readonly EventType[] | undefined;
    },
  ) => Promise<NotificationList>;
  /** Returns the caller of an access token that was issued in process; undefined if it is not valid. */
  readonly callerOfToken: (token: string) => Promise<Caller | undefined>;
  /** Whether the caller follows a participant. */
  readonly isFollowing: (caller: Caller, principalId: string) => Promise<boolean>;
  /** Counts what closing the account of the caller would treat; undefined if the caller lacks a scope for it. */
  readonly worksOf: (caller: Caller) => Promise<Works | undefined>;
  /** Returns the use of those of these agents that the caller owns, by id. */
  readonly agentUses: (
    caller: Caller,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, AgentUse>>;
  /** Called when a thread fails. */
  readonly onError: (error: Error) => void;
}
