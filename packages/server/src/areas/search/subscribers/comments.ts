// Keeps the search documents of comments up to date. Searches check whether the article is listed.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type {
  ArticleErased,
  CommentChanged,
  Delivered,
  LanguageChanged,
  Subscriber,
  SubscriberServices,
} from '#outbox';
import { countComments, listCommentsAfter } from '#reindex';
import {
  deleteCommentDocument,
  listIndexedOtherwise,
  listStaleComments,
  lockComment,
  lockCommentsOf,
  setCommentDocument,
} from '../queries/comment-documents.ts';
import { configurations } from '../rules/index-tags.ts';
import type { Rebuilding } from '#reindex';

/** Concurrent runs in any order agree: each locks the comment, and so writes its state at the commit. */
async function index(tx: Tx, key: RowKey, now: Date): Promise<void> {
  const comment = await lockComment(tx, key);
  if (comment?.visible !== true) return deleteCommentDocument(tx, key);
  return setCommentDocument(tx, key, { configurations, now: timestamp(now) });
}

/** Brings the search document of a comment up to date with its present state. */
export async function indexComment(id: string, { db, now }: SubscriberServices): Promise<void> {
  await db.transaction((tx) => index(tx, keyOf(id), now()));
}

/**
 * Small batches: a request that hides or deletes one of them waits for all. They are locked in the order of
 * their keys.
 */
async function indexComments(
  messages: readonly Delivered<CommentChanged>[],
  { db, now }: SubscriberServices,
): Promise<void> {
  const ids = new Set(messages.map(({ payload }) => payload.comment_id));
  const keys = [...ids].map((id) => keyOf(id));
  const sorted = keys.toSorted(
    (one, other) => one.bucket - other.bucket || (one.id < other.id ? -1 : 1),
  );
  await db.transaction(async (tx) => {
    await Promise.all(sorted.map((key) => index(tx, key, now())));
  });
}

const pageSize = 200;

/**
 * Indexes the next page of an article's comments. Returns the last id of the page, or undefined at the end.
 */
async function reindexPage(
  article: RowKey,
  after: string,
  { db, now }: SubscriberServices,
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const ids = await lockCommentsOf(tx, article, { after, limit: pageSize });
    const { bucket } = article;
    const stale =
      ids.length === 0 ? [] : await listIndexedOtherwise(tx, { bucket, ids }, configurations);
    const set = { configurations, now: timestamp(now()) };
    await Promise.all(stale.map((id) => setCommentDocument(tx, { bucket, id }, set)));
    return ids.length < pageSize ? undefined : ids.at(-1);
  });
}

/** Indexes an article's comments for its present language, in short transactions. */
export async function reindexCommentsOf(
  articleId: string,
  services: SubscriberServices,
): Promise<void> {
  const article = keyOf(articleId);
  let after: string | undefined = '';
  while (after !== undefined) after = await reindexPage(article, after, services);
}

const reindexing = { name: 'reindexComments', priority: 'background', alone: 'reindex' } as const;

const onLanguageChanged: Subscriber<LanguageChanged> = {
  ...reindexing,
  type: 'language.changed',
  run: ({ payload }, services) => reindexCommentsOf(payload.article_id, services),
};

// An erased article has no language any more.
const onArticleErased: Subscriber<ArticleErased> = {
  ...reindexing,
  type: 'article.erased',
  run: ({ payload }, services) => reindexCommentsOf(payload.article_id, services),
};

const onCommentChanged: Subscriber<CommentChanged> = {
  type: 'comment.changed',
  name: 'indexComment',
  run: ({ payload }, services) => indexComment(payload.comment_id, services),
  many: {
    atOnce: 20,
    run: (messages, services) => indexComments(messages, services),
  },
};

export const commentSubscribers = [
  onCommentChanged,
  onLanguageChanged,
  onArticleErased,
] as readonly Subscriber[];

export const rebuildingComments: Rebuilding = {
  name: 'comments',
  version: 3,
  count: countComments,
  next: listCommentsAfter,
  stale: listStaleComments,
  rebuild: indexComment,
};
