// The door of social: comments, edges between articles, and follows.
import { insertCountDelta } from '#articles';
import type { Db, Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { ModeratedChange } from '#lib/moderated';
import { createComment } from './operations/create-comment.ts';
import { createReply } from './operations/create-reply.ts';
import { deleteComment } from './operations/delete-comment.ts';
import { follow } from './operations/follow.ts';
import { listComments } from './operations/list-comments.ts';
import { listOwnComments } from './operations/list-own-comments.ts';
import { listReplies } from './operations/list-replies.ts';
import { readComment } from './operations/read-comment.ts';
import { unfollow } from './operations/unfollow.ts';
import { createEdge } from './operations/create-edge.ts';
import { deleteEdge } from './operations/delete-edge.ts';
import { listArticleEdges } from './operations/list-article-edges.ts';
import { listEdges } from './operations/list-edges.ts';
import { readEdge } from './operations/read-edge.ts';
import { readGraph } from './operations/read-graph.ts';
import { commentChanged } from './outbox/comments.ts';
import { forgetComments } from './reactions/comments.ts';
import { followArticle, followErasure, tellOfCitation } from './reactions/edges.ts';
import { forgetFollows } from './reactions/follows.ts';
import {
  findAuthors,
  listNewest,
  listVisibleOf,
  lockModerated,
  setModerated,
} from './queries/index.ts';
import type { HeldComment } from './queries/index.ts';
import { commentView } from './views/comments.ts';

export const operations = [
  createComment,
  createReply,
  deleteComment,
  listComments,
  readComment,
  listReplies,
  listOwnComments,
  follow,
  unfollow,
  createEdge,
  deleteEdge,
  readEdge,
  listEdges,
  listArticleEdges,
  readGraph,
];

export const reactions = [
  forgetComments,
  forgetFollows,
  followArticle,
  followErasure,
  tellOfCitation,
];

/** The newest comments of an article as everybody sees them, who may read it by its address. */
export async function newestComments(db: Db, articleId: string, limit: number) {
  const rows = await listNewest(db, { bucket: bucketOf(articleId), id: articleId }, limit);
  const authors = await findAuthors(db, rows);
  return rows.map((row) => commentView(row, authors.get(row.author_id), null));
}

/**
 * The comments of these ids as everybody sees them, in the order of the ids. Those that are not visible on
 * a listed article at this moment are left out, whatever a derived table still says.
 */
export async function listedComments(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await listVisibleOf(db, ids);
  const authors = await findAuthors(db, rows);
  const byId = new Map(
    rows.map((row) => [row.id, commentView(row, authors.get(row.author_id), null)]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Holds a comment for moderation until the transaction ends; undefined when there is none. */
export function holdComment(tx: Tx, id: string): Promise<HeldComment | undefined> {
  return lockModerated(tx, { bucket: bucketOf(id), id });
}

/** Puts a held comment into the state that an action leaves it in; only visible ones are counted. */
export function moderateComment(
  tx: Tx,
  { id, before }: { readonly id: string; readonly before: HeldComment },
  { state, actionId, now }: ModeratedChange,
): void {
  const bucket = bucketOf(id);
  void setModerated(tx, { bucket, id }, state, actionId);
  if (state.status !== before.status) commentChanged(tx, { ...before, id }, now);
  const comments = Number(state.status === 'visible') - Number(before.status === 'visible');
  if (comments === 0) return;
  insertCountDelta(tx, { bucket, id: before.article_id }, { comments }, now);
}
