// DELETE /v1/media/{id}: leaves a tombstone; bytes that no other record uses are deleted.
// A moderation action stays in force: a restoration returns the record to the state its owner left.
import { operations } from '@colophon/contract';
import { implement, releaseStored } from '#http';
import { bytesFreed } from '#outbox';
import { keyOf } from '#lib/id';
import { lockMedia, setMediaRemoved } from '../queries/index.ts';
import { requireKnown, requireOwner, requireWithdrawable } from '../rules/media.ts';

export const deleteMedia = implement(operations.deleteMedia)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const key = keyOf(params.id);
  const media = await lockMedia(tx, key);
  requireKnown(problem, media, caller);
  requireOwner(problem, media, caller);
  requireWithdrawable(problem, media);
  const freed = await setMediaRemoved(tx, key.bucket, [media], { now, erase: false });
  releaseStored(tx, key.bucket, [media]);
  bytesFreed(tx, key.bucket, freed, now);
  return { status: 204, body: undefined };
});
