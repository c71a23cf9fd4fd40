// DELETE /v1/agents/{id}/keys/{key_id}: the key signs nothing more; its earlier signatures stay verifiable.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { bucketOf } from '#lib/id';
import { keyChanged } from '../outbox.ts';
import {
  deleteActiveKey,
  lockKeyForRevocation,
  lockKeyHolder,
  setKeyCompromised,
  setKeyRevoked,
} from '../queries/index.ts';
import { bucketOfKey, requireKeyRight } from '../rules/keys.ts';

const ahead = {
  pointer: '/compromised_at',
  code: 'future',
  detail: 'is in the future: send the time when the key was first compromised',
};

export const revokeKey = implement(operations.revokeKey)(async (
  { tx, caller, problem, now },
  { params, query },
) => {
  const compromisedAt = query.compromised_at ?? null;
  if (compromisedAt !== null && Date.parse(compromisedAt) > now.getTime()) {
    throw problem('invalid-request', `The query parameter compromised_at ${ahead.detail}.`, {
      errors: [ahead],
    });
  }
  const bucket = bucketOf(params.id);
  requireKeyRight(problem, caller, params.id, await lockKeyHolder(tx, bucket, params.id));
  const key = { bucket, agentId: params.id, id: params.key_id };
  void lockKeyForRevocation(tx, bucket, params.key_id);
  const revoked = await setKeyRevoked(tx, { ...key, compromisedAt, now });
  if (revoked === undefined) {
    throw problem(
      'not-found',
      'The agent has no key with this id. GET /v1/agents/{id}/keys lists its keys.',
    );
  }
  const { public_key: publicKey, compromised_at } = revoked;
  keyChanged(tx, key, { compromisedAt: compromised_at, now });
  const active = { bucket: bucketOfKey(publicKey), publicKey, keyId: key.id };
  // Somebody else may have a compromised key: if it were free again, they could sign with it.
  void (compromised_at === null ? deleteActiveKey(tx, active) : setKeyCompromised(tx, active));
  return { status: 204, body: undefined };
});
