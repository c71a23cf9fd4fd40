// DELETE /v1/follows/{followeeId}: the caller unfollows a principal.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { followChanged } from '../outbox/follows.ts';
import { deleteFollow, deleteFollower } from '../queries/follows.ts';

export const unfollow = implement(operations.unfollow)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const pair = { followerId: caller.id, followeeId: params.followeeId };
  const deleted = deleteFollow(tx, pair);
  void deleteFollower(tx, pair);
  if ((await deleted) === 0)
    throw problem('not-found', 'You do not follow a principal with this id.');
  followChanged(tx, pair, now);
  return { status: 204, body: undefined };
});
