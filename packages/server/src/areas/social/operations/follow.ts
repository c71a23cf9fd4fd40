// POST /v1/follows: the caller follows a principal, who gets an event.
import { operations } from '@colophon/contract';
import { implement, invalid } from '#http';
import { newId } from '#lib/id';
import { appendEvent } from '#event-log';
import { followChanged } from '../outbox/follows.ts';
import { insertFollow, insertFollower } from '../queries/follows.ts';

export const follow = implement(operations.follow)(async (
  { tx, caller, problem, now, charge },
  { body },
) => {
  const followeeId = body.principal_id;
  if (followeeId === caller.id) {
    const detail = 'is your own id: name another principal';
    throw invalid([{ pointer: '/principal_id', code: 'self', detail }]);
  }
  const id = newId(caller.bucket, now.getTime());
  const input = { id, followerId: caller.id, followeeId, now };
  const [row, copies] = await Promise.all([insertFollow(tx, input), insertFollower(tx, input)]);
  if (row === undefined)
    throw problem('unauthenticated', 'This account was closed while this request was running.');
  if (copies === 0)
    throw problem('not-found', 'No principal has this id, or the account is closed.');
  const record = {
    follower_principal_id: caller.id,
    followee_principal_id: followeeId,
    created_at: row.created_at,
  };
  if (row.follow_id !== id) return { status: 200, body: record };
  charge('follows.create');
  followChanged(tx, { followerId: caller.id, followeeId }, now);
  const subject = { subjectType: 'principal', subjectId: caller.id } as const;
  const event = { recipientId: followeeId, type: 'follow.created', actorId: caller.id } as const;
  appendEvent(tx, [{ ...event, ...subject, payload: {} }], now);
  return { status: 201, body: record };
});
