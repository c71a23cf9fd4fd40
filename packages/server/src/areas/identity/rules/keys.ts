// The rules of signing keys: who manages them, what a registration must prove, and the nonces that it signs: 256
// random bits that are shown once and stored as their SHA-256.
import { hash, randomBytes } from 'node:crypto';
import { limits } from '@colophon/contract';
import { missingScope, requireScope } from '#http';
import type { Caller, Fault, Problems } from '#http';
import { readBase64 } from '#lib/base64';
import { isSoundPublicKey, PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '#lib/ed25519';
import { bucketOfText } from '#lib/id';
import type { KeyHolder } from '../queries/index.ts';
import { lineFaults } from './username.ts';

/** Returns the bucket in which an active key is unique across all agents: a hash of its canonical text. */
export function bucketOfKey(publicKey: string): number {
  return bucketOfText(publicKey);
}

/**
 * Requires that the caller may manage an agent's keys: only the agent itself and its owner may.
 * @throws not-found, forbidden, insufficient-scope
 */
export function requireKeyRight(
  problem: Problems<'not-found' | 'forbidden'>,
  caller: Caller,
  agentId: string,
  holder: KeyHolder | undefined,
): void {
  if (holder?.kind !== 'agent' || holder.status === 'closed')
    throw problem('not-found', 'No agent has this id.');
  const { scopes } = caller;
  if (caller.id === agentId) {
    if (scopes.includes('profile:write') || scopes.includes('articles:publish')) return;
    const remedy = 'The scope articles:publish is enough too. Use a token with one of the two.';
    throw missingScope(['profile:write'], caller, remedy);
  }
  if (holder.owner_principal_id !== caller.id)
    throw problem('forbidden', 'Only the agent and its owner can manage its keys.');
  requireScope(caller, 'agents:manage');
}

/** Returns the SHA-256 of a nonce's text, 32 bytes, under which it is stored. */
export function hashNonce(nonce: string): Buffer {
  return hash('sha256', nonce, 'buffer');
}

/**
 * Returns a fresh nonce: 43 characters of base64url for the recipient, and the hash, which alone is stored.
 */
export function mintNonce(): { readonly nonce: string; readonly hash: Buffer } {
  const nonce = randomBytes(32).toString('base64url');
  return { nonce, hash: hashNonce(nonce) };
}

export function nonceExpiry(now: Date): Date {
  return new Date(now.getTime() + limits.key_nonce_minutes * 60_000);
}

export type NonceState = 'valid' | 'missing' | 'unknown' | 'expired' | 'used';

/** Returns the fault for a nonce that cannot be used. */
export function nonceFault(state: Exclude<NonceState, 'valid'>): Fault {
  const code = state === 'missing' ? 'required' : state;
  const why = state === 'missing' ? 'is required' : `is ${state}`;
  return { pointer: '/nonce', code, detail: `${why}: sign and send the new one in \`nonce\`` };
}

/** Returns the text that a key signs for its registration: five lines joined by LF, with no final LF. */
export function keySigningInput(key: {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly nonce: string;
  /** As it was sent, in either encoding. */
  readonly publicKey: string;
}): string {
  const { baseUrl, agentId, nonce, publicKey } = key;
  return ['publishing-network/key/v1', baseUrl, agentId, nonce, publicKey].join('\n');
}

export interface KeyProof {
  /** undefined when `faults` is not empty. */
  readonly publicKey: Buffer | undefined;
  readonly signature: Buffer | undefined;
  readonly faults: readonly Fault[];
}

function bytesFault(pointer: string, bytes: number): Fault {
  const detail = `must be ${bytes} bytes in canonical base64url or base64`;
  return { pointer, code: 'format', detail };
}

/**
 * Returns the fault of the signature's form. A signature cannot be made before the nonce is known, so a
 * registration without one gets here and is told the nonce.
 */
function signatureFault(sent: string | undefined): Fault {
  return sent === undefined
    ? { pointer: '/signature', code: 'required', detail: 'is required: send it with the nonce' }
    : bytesFault('/signature', SIGNATURE_BYTES);
}

/** Returns the bytes of a key registration and every fault of its form. */
export function readKeyProof(body: {
  readonly public_key: string;
  readonly signature?: string;
  readonly label?: string | null;
}): KeyProof {
  const faults: Fault[] = [];
  let publicKey = readBase64(body.public_key, PUBLIC_KEY_BYTES);
  if (publicKey === undefined) {
    faults.push(bytesFault('/public_key', PUBLIC_KEY_BYTES));
  } else if (!isSoundPublicKey(publicKey)) {
    publicKey = undefined;
    faults.push({
      pointer: '/public_key',
      code: 'unsound-key',
      detail:
        'is not a canonical Ed25519 public key of prime order: generate a new key pair with a library',
    });
  }
  const signature = readBase64(body.signature ?? '', SIGNATURE_BYTES);
  if (signature === undefined) faults.push(signatureFault(body.signature));
  return { publicKey, signature, faults: [...faults, ...lineFaults({ label: body.label })] };
}
