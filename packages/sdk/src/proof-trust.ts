// What follows from the trust of a caller for a consistent proof.
import type { KeyRecord, Proof } from './proof-shape.ts';
import { readTrust } from './read-trust.ts';
import type { Readable } from './read-trust.ts';
import type { TrustEcho } from './trusted.ts';

/**
 * Why a consistent proof is not valid. `no-trust`: no trust was given. `bad-trust`: the trust cannot be read.
 * `other-service`: the proof is of another service. `unknown-key`: the key is not among the trusted ones.
 * `other-author`: the keys are trusted for another author. `compromised-key`: another party may have had the
 * key, and nothing shows that the signature is older. `other-log`: the proof is of another log than the
 * trusted one. `too-few-witnesses`: fewer of the trusted witnesses signed the checkpoint than required.
 */
export type TrustReason =
  | 'no-trust'
  | 'bad-trust'
  | 'other-service'
  | 'unknown-key'
  | 'other-author'
  | 'compromised-key'
  | 'other-log'
  | 'too-few-witnesses';

/** `according_to`: the source of the state. Anyone can write what a proof says of its own key. */
export interface ProofKey {
  readonly id: string;
  readonly public_key: string;
  readonly status: 'active' | 'revoked' | 'compromised';
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly compromised_at: string | null;
  readonly according_to: 'proof' | 'key-history';
}

type Signature = NonNullable<Proof['signature']>;

interface Trust extends Readable {
  readonly witnessedAt: string | null;
}

/** The parts of a proof that the trust was compared with. */
export type Checked = 'service' | 'key' | 'author' | 'key_state';

export interface Judged {
  readonly key: ProofKey;
  readonly checked: readonly Checked[];
  /** Undefined when the proof matches the trust. */
  readonly reason?: TrustReason;
  readonly detail?: string;
  /** The key was not valid when it signed: the proof is refused. */
  readonly untimely?: string;
  readonly trusted?: TrustEcho;
}

function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((time) => time !== null).toSorted()[0] ?? null;
}

/** Returns the state of the key by the proof and by its records, whichever is worst. */
function stateOf(
  { key }: Signature,
  records: readonly KeyRecord[] = [],
  twins: readonly KeyRecord[] = [],
) {
  const known = [key, ...records];
  const created_at =
    known
      .map((one) => one.created_at)
      .toSorted()
      .at(-1) ?? key.created_at;
  const revoked_at = earliest(known.map((one) => one.revoked_at));
  const compromised_at = earliest([...known, ...twins].map((one) => one.compromised_at));
  const ended = revoked_at === null ? 'active' : 'revoked';
  return {
    id: key.id,
    public_key: key.public_key,
    status: compromised_at === null ? ended : 'compromised',
    created_at,
    revoked_at,
    compromised_at,
    according_to: records.length === 0 ? 'proof' : 'key-history',
  } as const;
}

/**
 * Says as a sentence why the key was not valid when it signed; undefined when it was. Times have one format,
 * so they compare as texts.
 */
function untimely(signedAt: string, key: Omit<ProofKey, 'according_to'>): string | undefined {
  const { created_at, revoked_at, compromised_at } = key;
  if (signedAt < created_at) return `The key was registered later, on ${created_at}.`;
  if (revoked_at !== null && signedAt > revoked_at) return `The key was revoked on ${revoked_at}.`;
  if (compromised_at !== null && signedAt >= compromised_at)
    return `The key was compromised on ${compromised_at}.`;
  return undefined;
}

/**
 * Returns the records with this key id, this author and these bytes; all three must match. There are several
 * where histories of different days were joined.
 */
function recordsOf(history: readonly KeyRecord[], { key }: Signature): readonly KeyRecord[] {
  return history.filter(
    (record) =>
      record.id === key.id &&
      record.agent_id === key.agent_id &&
      record.public_key === key.public_key,
  );
}

function judgeKey(proof: Proof, signature: Signature, trust: Trust): Judged {
  const { key } = signature;
  const { authorId, history } = trust;
  const apart = { key: stateOf(signature), checked: ['service'] } as const;
  if (authorId !== undefined && authorId !== proof.author_id)
    return {
      ...apart,
      reason: 'other-author',
      detail: 'The trusted keys belong to another author.',
    };
  const records = recordsOf(history ?? [], signature);
  if (records.length === 0 && !trust.publicKeys.includes(key.public_key))
    return { ...apart, reason: 'unknown-key', detail: 'The key is not among the trusted keys.' };
  const twins = (history ?? []).filter((one) => one.public_key === key.public_key);
  return judgeTimes(signature, stateOf(signature, records, twins), trust);
}

function checkedOf(key: ProofKey, { authorId }: Readable): readonly Checked[] {
  if (key.according_to === 'key-history') return ['service', 'key', 'author', 'key_state'];
  return authorId === undefined ? ['service', 'key'] : ['service', 'key', 'author'];
}

/**
 * The time of the signature is not signed. That does not matter while only the author has the key. Another
 * party that gets the key could sign with an earlier time.
 */
function judgeTimes(signature: Signature, key: ProofKey, trust: Trust): Judged {
  const judged = { key, checked: checkedOf(key, trust) };
  const fault = untimely(signature.signed_at, key);
  if (fault !== undefined) return { ...judged, untimely: fault };
  const { seen_at } = trust.echo;
  if (seen_at !== null && signature.signed_at > seen_at)
    return {
      ...judged,
      untimely: `The proof was seen on ${seen_at}, before its signature was made.`,
    };
  const { compromised_at } = key;
  const seen = earliest([seen_at, trust.witnessedAt]);
  if (compromised_at === null || (seen !== null && seen < compromised_at))
    return { ...judged, trusted: trust.echo };
  return {
    ...judged,
    reason: 'compromised-key',
    detail: `The key was compromised on ${compromised_at}, and the proof does not show that the signature is older.`,
  };
}

/**
 * Judges a proof whose signature verifies by the trust. `witnessedAt`: when witnesses that the trust names saw
 * the signature in the log.
 */
export function judge(
  proof: Proof,
  signature: Signature,
  trusted: unknown,
  witnessedAt: string | null,
): Judged {
  const apart = { key: stateOf(signature), checked: [] };
  const fault = untimely(signature.signed_at, apart.key);
  if (fault !== undefined) return { ...apart, untimely: fault };
  if (trusted === undefined)
    return {
      ...apart,
      reason: 'no-trust',
      detail: 'No trusted keys were given, and anyone can make a proof with their own key.',
    };
  const trust = readTrust(trusted);
  if (trust === undefined)
    return { ...apart, reason: 'bad-trust', detail: 'The trust option is malformed.' };
  if (!trust.addresses.includes(proof.base_url))
    return {
      ...apart,
      reason: 'other-service',
      detail: `The proof is not from ${trust.echo.base_url}.`,
    };
  return judgeKey(proof, signature, { ...trust, witnessedAt });
}
