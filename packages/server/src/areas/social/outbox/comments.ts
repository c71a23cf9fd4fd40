// The events and messages of comments: for the authors of article and parent, the counts, and the pipeline.
import { insertCountDelta } from '#articles';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { appendEvent } from '#event-log';
import type { NewEvent } from '#event-log';
import { appendMessage } from '#outbox';
import type { NewComment, Target } from '../queries/index.ts';

/**
 * Returns the author of the parent, if they may know of the reply. An event names who replied, so a private
 * article has none for people who commented before it was private and cannot read it any more.
 */
function answeredOf(target: Target): string | null {
  const { parent_author_id, article_author_id, article_owner_id, article_visibility } = target;
  if (article_visibility !== 'private') return parent_author_id;
  const readers = [article_author_id, article_owner_id];
  return readers.includes(parent_author_id) ? parent_author_id : null;
}

/**
 * Returns the events for a comment. An author of both the article and the parent gets only the reply event.
 * Events contain ids and no text, because deleted or erased text would survive in them.
 */
function eventsOf(comment: NewComment, target: Target): readonly NewEvent[] {
  const event = {
    actorId: comment.authorId,
    subjectType: 'comment' as const,
    subjectId: comment.id,
    payload: {
      article_id: target.article_id,
      comment_id: comment.id,
      parent_comment_id: target.parent_id,
      stance: comment.stance,
    },
  };
  const [author, answered] = [target.article_author_id, answeredOf(target)];
  const ofReply: NewEvent[] =
    answered === null ? [] : [{ ...event, type: 'reply.created', recipientId: answered }];
  return author === answered
    ? ofReply
    : [...ofReply, { ...event, type: 'comment.created', recipientId: author }];
}

/** Identifies a comment for its derived rows. */
export interface ChangedComment {
  readonly id: string;
  readonly article_id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
}

/**
 * Appends the message that a comment was created, lost its text, or changed its visibility. Each subscriber
 * reads the current row.
 */
export function commentChanged(tx: Tx, comment: ChangedComment, now: Date): void {
  const { id, article_id, author_id, owner_principal_id } = comment;
  const owner_id = owner_principal_id ?? author_id;
  const payload = { article_id, comment_id: id, author_id, owner_id };
  void appendMessage(tx, { bucket: bucketOf(id), type: 'comment.changed', payload }, now);
}

/** Appends the message that the author of a comment no longer reads its text, for copies of it in their bucket. */
export function commentDeleted(tx: Tx, { id, author_id }: ChangedComment, now: Date): void {
  const payload = { comment_id: id, author_id, removed_at: timestamp(now) };
  void appendMessage(tx, { bucket: bucketOf(author_id), type: 'comment.deleted', payload }, now);
}

/**
 * Appends the message that a moderator changed the status of a locked comment. Only visible comments are
 * counted.
 */
export function commentModerated(
  tx: Tx,
  comment: ChangedComment & { readonly status: string },
  status: string,
  now: Date,
): void {
  if (status === comment.status) return;
  commentChanged(tx, comment, now);
  if (status === 'removed') commentDeleted(tx, comment, now);
  const comments = Number(status === 'visible') - Number(comment.status === 'visible');
  if (comments === 0) return;
  insertCountDelta(tx, { bucket: bucketOf(comment.id), id: comment.article_id }, { comments }, now);
}

/**
 * Counts a new comment and appends its message and events. Call it last in the transaction: it locks the
 * event counters of the recipients.
 */
export function commentWritten(tx: Tx, comment: NewComment, target: Target): void {
  const { bucket, id, authorId, ownerId, now } = comment;
  const { article_id } = target;
  insertCountDelta(tx, { bucket, id: article_id }, { comments: 1 }, now);
  commentChanged(tx, { id, article_id, author_id: authorId, owner_principal_id: ownerId }, now);
  appendEvent(tx, eventsOf(comment, target), now);
}
