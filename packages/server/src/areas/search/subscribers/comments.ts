// Keeps the search documents of comments up to date. Searches check whether the article is listed.
import type { Tx } from '#database';
import { bucketOf, keyOf } from '#lib/id';
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
  deleteCommentDocuments,
  listIndexedOtherwise,
  listStaleComments,
  lockCommentsOf,
  lockVisible,
  setCommentDocuments,
} from '../queries/comment-documents.ts';
import { configurations } from '../rules/index-tags.ts';
import type { Rebuilding } from '#reindex';

/**
 * Concurrent runs in any order agree: each locks the comments, and so writes their state at the commit. Each bucket
 * is locked by a statement of its own, because a distributed database locks rows of one bucket at a time.
 */
async function index(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  const buckets = [...Map.groupBy(ids, bucketOf)].toSorted(([one], [other]) => one - other);
  const locked = await Promise.all(
    buckets.map(([bucket, some]) => lockVisible(tx, { bucket, ids: some })),
  );
  const visible = new Set(locked.flatMap((some) => [...some]));
  const [shown = [], gone = []] = [true, false].map((is) =>
    ids.filter((id) => visible.has(id) === is).map(keyOf),
  );
  const set = { configurations, now: timestamp(now) };
  await Promise.all([
    shown.length > 0 ? setCommentDocuments(tx, shown, set) : undefined,
    gone.length > 0 ? deleteCommentDocuments(tx, gone) : undefined,
  ]);
}

/** Brings the search document of a comment up to date with its present state. */
export async function indexComment(id: string, { db, now }: SubscriberServices): Promise<void> {
  await db.transaction((tx) => index(tx, [id], now()));
}

const indexedAtOnce = 20;

/**
 * Small batches: a request that hides or deletes one of them waits for all. They are locked in the order of
 * their keys.
 */
async function indexComments(
  messages: readonly Delivered<CommentChanged>[],
  { db, now }: SubscriberServices,
): Promise<void> {
  const ids = [...new Set(messages.map(({ payload }) => payload.comment_id))];
  await db.transaction((tx) => index(tx, ids, now()));
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
    const locked = await lockCommentsOf(tx, article, { after, limit: pageSize });
    const { bucket } = article;
    const stale =
      locked.length === 0
        ? []
        : await listIndexedOtherwise(tx, { bucket, ids: locked }, configurations);
    const set = { configurations, now: timestamp(now()) };
    // As many as in a job, so that no statement takes long.
    const batches = Array.from({ length: Math.ceil(stale.length / indexedAtOnce) }, (_, place) =>
      stale.slice(place * indexedAtOnce, (place + 1) * indexedAtOnce),
    );
    await Promise.all(batches.map((ids) => setCommentDocuments(tx, ids.map(keyOf), set)));
    return locked.length < pageSize ? undefined : locked.at(-1);
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
    atOnce: indexedAtOnce,
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
