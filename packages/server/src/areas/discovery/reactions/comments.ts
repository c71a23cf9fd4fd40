// Keeps the search for comments true to what is visible. Whether the article is listed is asked by each search.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { CommentChanged, Delivered, Reaction, ReactionServices } from '#outbox';
import {
  countComments,
  deleteCommentDocument,
  holdComment,
  listCommentsAfter,
  listStaleComments,
  setCommentDocument,
} from '../queries/index.ts';
import type { CommentKey } from '../queries/index.ts';
import { configurationOf } from '../rules/languages.ts';
import type { Rebuilding } from './rebuilding.ts';

/** Runs at once and in any order agree: each holds the comment, and so writes what it is at the commit. */
async function index(tx: Tx, key: CommentKey, now: Date): Promise<void> {
  const comment = await holdComment(tx, key);
  if (comment?.visible !== true) return deleteCommentDocument(tx, key);
  const configuration = configurationOf(comment.language);
  return setCommentDocument(tx, key, { configuration, now: timestamp(now) });
}

/** Makes what a comment is found by what its present state asks for. */
export async function indexComment(id: string, { db, now }: ReactionServices): Promise<void> {
  await db.transaction((tx) => index(tx, { bucket: bucketOf(id), id }, now()));
}

/** Few at once: whoever hides or deletes one of them waits for all. They are held in the order of their keys. */
async function indexComments(
  messages: readonly Delivered<CommentChanged>[],
  { db, now }: ReactionServices,
): Promise<void> {
  const ids = new Set(messages.map(({ payload }) => payload.comment_id));
  const keys = [...ids].map((id) => ({ bucket: bucketOf(id), id }));
  const sorted = keys.toSorted(
    (one, other) => one.bucket - other.bucket || (one.id < other.id ? -1 : 1),
  );
  await db.transaction(async (tx) => {
    await Promise.all(sorted.map((key) => index(tx, key, now())));
  });
}

const onCommentChanged: Reaction<CommentChanged> = {
  type: 'comment.changed',
  name: 'indexComment',
  run: ({ payload }, services) => indexComment(payload.comment_id, services),
  many: {
    atOnce: 20,
    run: (messages, services) => indexComments(messages, services),
  },
};

export const commentReactions = [onCommentChanged] as readonly Reaction[];

export const rebuildingComments: Rebuilding = {
  name: 'comments',
  version: 2,
  count: countComments,
  next: listCommentsAfter,
  stale: listStaleComments,
  rebuild: indexComment,
};
