// What the web is built from: operations in process, and the few functions that no operation is.
import type { AnswerOf, OperationName, Operations } from '@colophon/contract';
import type { Config } from '#config';
import type { LimitAnonymous, Invoke } from '#http';
import type { Client } from '#text';

type Body<N extends OperationName> = Extract<AnswerOf<Operations[N]>, { status: 200 }>['body'];

export type Article = Body<'readArticle'>;
export type ArticleList = Body<'listArticles'>;
export type Summary = ArticleList['items'][number];
/** With the excerpt of the text that is shown. */
export type ShownArticle = Article & Pick<Summary, 'excerpt'>;
export type Author = Summary['author'];
export type Principal = Body<'readUsername'>;
export type CommentList = Body<'listComments'>;
export type Comment = CommentList['items'][number];
export type EdgeList = Body<'listArticleEdges'>;
export type Edge = EdgeList['items'][number];

/** The text of an article that is listed now, as a feed shows it. */
export interface FeedText {
  readonly revision_id: string;
  /** When the revision was first published. */
  readonly revised_at: string;
  /** Safe HTML; null: too long for a feed. */
  readonly html: string | null;
}

export interface Standing {
  /** It also stands in lists: not unlisted, not taken out of them by a moderator. */
  readonly listed: boolean;
  /** When the revision that is shown was first published. */
  readonly revised_at: string | null;
  /** Of the text that is shown. */
  readonly excerpt: string;
}

/** HTML of a short text; `kept` is false where another try may do better. */
export interface ShortText {
  readonly html: string;
  readonly kept: boolean;
}

/** Whatever it is, visibility was asked in the statement that answers it. */
export interface ArticleServices {
  /** How an article stands that is read by its address. */
  readonly standing: (id: string) => Promise<Standing>;
  /** Safe HTML of the text. */
  readonly rendered: (article: Article) => Promise<string>;
  /** Of the ids, those that are listed now. */
  readonly feedTexts: (ids: readonly string[]) => Promise<ReadonlyMap<string, FeedText>>;
  /** Markdown with what is known of the text in front. */
  readonly markdown: (article: Article) => Promise<string>;
}

export interface PageServices {
  readonly config: Config;
  readonly invoke: Invoke;
  readonly articles: ArticleServices;
  /** The newest visible comments of an article that everybody with its address may read. */
  readonly newestComments: (articleId: string, limit: number) => Promise<readonly Comment[]>;
  /** Whether a participant who is read by name also stands in lists. */
  readonly isFindable: (principalId: string) => Promise<boolean>;
  /** Safe HTML of a comment or a guide, its headings below one of level `below`. */
  readonly renderShort: (
    markdown: string,
    below: number,
    client: Client | undefined,
  ) => Promise<ShortText>;
  readonly admit: LimitAnonymous;
  /** Told where a thread fails. */
  readonly onError: (error: Error) => void;
}
