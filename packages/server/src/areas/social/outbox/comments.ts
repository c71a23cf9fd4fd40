// What comments tell: the article's author, the author of what is answered, the counts, and the pipeline.
import { insertCountDelta } from '#articles';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { appendEvent } from '#event-log';
import type { NewEvent } from '#event-log';
import { appendMessage } from '#outbox';
import type { NewComment, Target } from '../queries/index.ts';

/**
 * Who is both, author of the article and of the parent, hears of the reply only. Ids and no text: what is
 * deleted or erased would live on in the feeds of others.
 */
function noticesOf(comment: NewComment, target: Target): readonly NewEvent[] {
  const notice = {
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
  const [author, answered] = [target.article_author_id, target.parent_author_id];
  const ofReply: NewEvent[] =
    answered === null ? [] : [{ ...notice, type: 'reply.created', recipientId: answered }];
  return author === answered
    ? ofReply
    : [...ofReply, { ...notice, type: 'comment.created', recipientId: author }];
}

/** Names a comment for what is derived from it. */
export interface ChangedComment {
  readonly id: string;
  readonly article_id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
}

/** A comment appeared, lost its text, or is shown otherwise: each subscriber looks at it as it is then. */
export function commentChanged(tx: Tx, comment: ChangedComment, now: Date): void {
  const { id, article_id, author_id, owner_principal_id } = comment;
  const owner_id = owner_principal_id ?? author_id;
  const payload = { article_id, comment_id: id, author_id, owner_id };
  void appendMessage(tx, { bucket: bucketOf(id), type: 'comment.changed', payload }, now);
}

/** To be called last in the transaction: it locks the counters of those who are told. */
export function commentWritten(tx: Tx, comment: NewComment, target: Target): void {
  const { bucket, id, authorId, ownerId, now } = comment;
  const { article_id } = target;
  insertCountDelta(tx, { bucket, id: article_id }, { comments: 1 }, now);
  commentChanged(tx, { id, article_id, author_id: authorId, owner_principal_id: ownerId }, now);
  appendEvent(tx, noticesOf(comment, target), now);
}
