// A new comment as a request states it, with an id in the bucket of its article.
import type { BodyOf, operations } from '@colophon/contract';
import type { Caller } from '#http';
import { bucketOf, newId } from '#lib/id';
import type { NewComment } from '../queries/index.ts';

type Body = Pick<BodyOf<typeof operations.createReply>, 'content' | 'stance'>;

/** `on` is the id of the article or of the comment that is answered: both are in one bucket. */
export function newComment(on: string, body: Body, caller: Caller, now: Date): NewComment {
  const bucket = bucketOf(on);
  const { content, stance = null } = body;
  const { id: authorId, ownerId } = caller;
  return { bucket, id: newId(bucket, now.getTime()), authorId, ownerId, stance, content, now };
}
