// POST /v1/agents/{id}/keys: registers an Ed25519 key after proof that its holder has the private key.
import { operations } from '@colophon/contract';
import type { BodyOf, Operations } from '@colophon/contract';
import type { Tx } from '#database';
import { implement, invalid, problem as anyProblem } from '#http';
import type { Fault, Problem, Problems } from '#http';
import { verifySignature } from '#lib/ed25519';
import { bucketOf, newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { appendEvent } from '#event-log';
import { credentialEvents, keyChanged } from '../outbox.ts';
import {
  findKeyNonce,
  findTaken,
  insertActiveKey,
  insertKey,
  insertKeyNonce,
  lockKeyHolder,
  setNonceUsed,
} from '../queries/index.ts';
import {
  bucketOfKey,
  hashNonce,
  keySigningInput,
  mintNonce,
  nonceExpiry,
  nonceFault,
  readKeyProof,
  requireKeyRight,
} from '../rules/keys.ts';
import type { NonceState } from '../rules/keys.ts';
import { requireFreshCheck } from '../service/checks.ts';
import { keyView } from '../views.ts';

interface Attempt {
  readonly tx: Tx;
  readonly bucket: number;
  readonly agentId: string;
  readonly baseUrl: string;
  readonly body: BodyOf<Operations['registerKey']>;
  readonly now: Date;
}

/** Marks the nonce as used in this transaction and returns its state before that. */
async function useNonce({ tx, bucket, agentId, body, now }: Attempt): Promise<NonceState> {
  if (body.nonce === undefined || body.nonce === null) return 'missing';
  const key = { bucket, agentId, hash: hashNonce(body.nonce) };
  if ((await setNonceUsed(tx, key, now)) === 1) return 'valid';
  const known = await findKeyNonce(tx, key);
  if (known === undefined) return 'unknown';
  return known.used_at === null ? 'expired' : 'used';
}

/**
 * Returns the same problem with a fresh nonce. The nonce is stored only when the problem is returned;
 * throwing it would roll the insert back.
 */
function withFreshNonce(refusal: Problem, attempt: Attempt, isKeySound: boolean): Problem {
  const { tx, bucket, agentId, baseUrl, body, now } = attempt;
  const { nonce, hash } = mintNonce();
  const expiresAt = nonceExpiry(now);
  void insertKeyNonce(tx, { bucket, agentId, hash }, expiresAt);
  const text = keySigningInput({ baseUrl, agentId, nonce, publicKey: body.public_key });
  return anyProblem(refusal.problem, refusal.message, {
    ...refusal.members,
    nonce,
    nonce_expires_at: timestamp(expiresAt),
    ...(isKeySound ? { signing_input: text } : {}),
  });
}

function unproven(text: string): Problem {
  const fault: Fault = {
    pointer: '/signature',
    code: 'signature',
    detail:
      'does not verify: sign exactly the bytes in `signing_input` with the private key of public_key. The nonce is still valid',
  };
  const { message, members } = invalid([fault]);
  return anyProblem('validation-failed', message, { ...members, signing_input: text });
}

/** Requires that no agent has the key, and that it was never compromised. @throws conflict */
async function takeKey(
  tx: Tx,
  problem: Problems<'conflict'>,
  publicKey: string,
  keyId: string,
): Promise<void> {
  const key = { bucket: bucketOfKey(publicKey), publicKey };
  if ((await insertActiveKey(tx, { ...key, keyId })) === 1) return;
  const taken = await findTaken(tx, key);
  throw problem(
    'conflict',
    taken?.compromised === true
      ? 'This key was reported as compromised: somebody else may have it. Generate a new key pair, and register that one.'
      : 'This key is already active for this agent or for another one. Revoke it there first, or generate a new key pair.',
  );
}

export const registerKey = implement(operations.registerKey)(async (
  { tx, caller, problem, config, now },
  { params, body },
) => {
  const bucket = bucketOf(params.id);
  const attempt = { tx, bucket, agentId: params.id, baseUrl: config.baseUrl, body, now };
  requireKeyRight(problem, caller, params.id, await lockKeyHolder(tx, bucket, params.id));
  await requireFreshCheck(tx, caller, now);
  const proof = readKeyProof(body);
  const nonce = await useNonce(attempt);
  if (nonce === 'used' && proof.faults.length === 0) {
    const used = problem('conflict', 'This nonce was already used. Sign the new one in `nonce`.');
    return { refusal: withFreshNonce(used, attempt, true) };
  }
  if (nonce !== 'valid') {
    const refusal = invalid([...proof.faults, nonceFault(nonce)]);
    return { refusal: withFreshNonce(refusal, attempt, proof.publicKey !== undefined) };
  }
  if (proof.publicKey === undefined || proof.signature === undefined || proof.faults.length > 0)
    throw invalid(proof.faults);
  const text = keySigningInput({
    baseUrl: config.baseUrl,
    agentId: params.id,
    nonce: body.nonce ?? '',
    publicKey: body.public_key,
  });
  if (!verifySignature(proof.signature, Buffer.from(text), proof.publicKey)) throw unproven(text);

  const id = newId(bucket, now.getTime());
  const publicKey = proof.publicKey.toString('base64url');
  const label = body.label ?? null;
  await takeKey(tx, problem, publicKey, id);
  void insertKey(tx, { bucket, id, agentId: params.id, publicKey, label, now });
  keyChanged(tx, { bucket, id }, { compromisedAt: null, now });
  const payload = { key_id: id, public_key: publicKey };
  const registered = { type: 'key.registered', payload } as const;
  appendEvent(tx, credentialEvents(registered, caller, params.id), now);
  const row = { id, agent_id: params.id, public_key: publicKey, label };
  const times = { created_at: timestamp(now), revoked_at: null, compromised_at: null };
  return { status: 201, body: keyView({ ...row, ...times }) };
});
