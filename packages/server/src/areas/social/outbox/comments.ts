// What a new comment tells: its article's author, the author of what it answers, and the counts.
import { insertCountDelta } from '#articles';
import type { Tx } from '#database';
import { notify } from '#notices';
import type { Notice } from '#notices';
import type { NewComment, Target } from '../queries/index.ts';

/**
 * Who is both, author of the article and of the parent, hears of the reply only. Ids and no text: what is
 * deleted or erased would live on in the feeds of others.
 */
function noticesOf(comment: NewComment, target: Target): readonly Notice[] {
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
  const ofReply: Notice[] =
    answered === null ? [] : [{ ...notice, type: 'reply.created', recipientId: answered }];
  return author === answered
    ? ofReply
    : [...ofReply, { ...notice, type: 'comment.created', recipientId: author }];
}

/** To be called last in the transaction: it locks the counters of those who are told. */
export function commentWritten(tx: Tx, comment: NewComment, target: Target): void {
  const { bucket, now } = comment;
  insertCountDelta(tx, { bucket, id: target.article_id }, { comments: 1 }, now);
  notify(tx, noticesOf(comment, target), now);
}
