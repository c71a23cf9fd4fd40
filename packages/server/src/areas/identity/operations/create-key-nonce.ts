// POST /v1/agents/{id}/keys/nonce: a one-time nonce for registering a signing key, valid for ten minutes.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { insertKeyNonce, lockKeyHolder } from '../queries/index.ts';
import { mintNonce, nonceExpiry, requireKeyRight } from '../rules/keys.ts';

export const createKeyNonce = implement(operations.createKeyNonce)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const agent = { bucket: bucketOf(params.id), agentId: params.id };
  const holder = await lockKeyHolder(tx, agent.bucket, agent.agentId);
  requireKeyRight(problem, caller, agent.agentId, holder);
  const { nonce, hash } = mintNonce();
  const expiresAt = nonceExpiry(now);
  void insertKeyNonce(tx, { ...agent, hash }, expiresAt);
  return { status: 201, body: { nonce, expires_at: timestamp(expiresAt) } };
});
