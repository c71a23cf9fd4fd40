// The trust that a caller gives a verifier, and what follows from it for a consistent proof.
import { isKeyRecord, isTime } from './proof-shape.ts';
import type { KeyRecord, Proof } from './proof-shape.ts';

/**
 * Public keys that you know from another source: from the author, from their website, from an earlier proof.
 */
export interface TrustedPublicKeys {
  /** The service whose articles you expect: `base_url` of GET /v1/meta. */
  readonly baseUrl: string;
  /** Base64url or base64 of the 32 bytes. */
  readonly publicKeys: readonly string[];
  /** The agent that owns these keys. If left out, the verdict does not name the author. */
  readonly authorId?: string | undefined;
  /**
   * A time at which you know that the signature existed, because you or a party you trust saw the proof then.
   * A compromised key is accepted only with it.
   */
  readonly seenAt?: string | undefined;
}

/** The keys of an agent, fetched earlier from the service itself with `readKeyHistory`. */
export interface KeyHistory {
  /** The service that returned the history: `base_url` of GET /v1/meta. */
  readonly baseUrl: string;
  /** Items of GET /v1/agents/{id}/keys, all pages. */
  readonly keys: readonly KeyRecord[];
  /** As in TrustedPublicKeys. */
  readonly seenAt?: string | undefined;
}

export type Trusted = TrustedPublicKeys | KeyHistory;

/**
 * Why a consistent proof is not valid. `no-trust`: no trust was given. `bad-trust`: the trust cannot be read.
 * `other-service`: the proof is of another service. `unknown-key`: the key is not among the trusted ones.
 * `other-author`: the keys are trusted for another author. `compromised-key`: another party may have had the
 * key, and nothing shows that the signature is older.
 */
export type TrustReason =
  | 'no-trust'
  | 'bad-trust'
  | 'other-service'
  | 'unknown-key'
  | 'other-author'
  | 'compromised-key';

/** The basis of the verdict. */
export interface TrustEcho {
  readonly base_url: string;
  readonly keys: 'public-keys' | 'key-history';
  readonly seen_at: string | null;
}

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

interface Readable {
  readonly echo: TrustEcho;
  readonly addresses: readonly string[];
  readonly publicKeys: readonly string[];
  readonly authorId: string | undefined;
  readonly history: readonly KeyRecord[] | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the URL without its trailing slash, as given and normalised. */
function addressesOf(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { origin, pathname, protocol } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) return [];
  return [baseUrl, origin + pathname].map((address) => address.replace(/(?<!\/)\/+$/, ''));
}

function publicKeysOf({ publicKeys }: Members): readonly string[] | undefined {
  if (!Array.isArray(publicKeys)) return undefined;
  const keys = publicKeys.map((one: unknown) =>
    typeof one === 'string'
      ? one.replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, '')
      : undefined,
  );
  return keys.every((one) => one !== undefined && /^[\w-]{43}$/.test(one))
    ? (keys as readonly string[])
    : undefined;
}

function historyOf({ keys }: Members): readonly KeyRecord[] | undefined {
  return Array.isArray(keys) && keys.every(isKeyRecord) ? keys : undefined;
}

interface Bounds {
  readonly authorId: string | undefined;
  readonly seenAt: string | undefined;
}

function boundsOf({ authorId, seenAt }: Members): Bounds | undefined {
  if (authorId !== undefined && typeof authorId !== 'string') return undefined;
  if (seenAt !== undefined && !isTime(seenAt)) return undefined;
  return { authorId, seenAt };
}

/** Accepts exactly one of the two forms. */
function keysOf(trusted: Members): Pick<Readable, 'publicKeys' | 'history'> | undefined {
  if ((trusted['publicKeys'] === undefined) === (trusted['keys'] === undefined)) return undefined;
  const publicKeys = publicKeysOf(trusted);
  const history = historyOf(trusted);
  if (publicKeys === undefined && history === undefined) return undefined;
  return { publicKeys: publicKeys ?? [], history };
}

const trustMembers: ReadonlySet<string> = new Set([
  'baseUrl',
  'publicKeys',
  'keys',
  'authorId',
  'seenAt',
]);

/** Returns undefined for a trust that cannot be read completely: a partial trust is not used. */
function readTrust(value: unknown): Readable | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Object.keys(value).every((name) => trustMembers.has(name))) return undefined;
  const { baseUrl } = value as Members;
  const [keys, bounds] = [keysOf(value as Members), boundsOf(value as Members)];
  const addresses = typeof baseUrl === 'string' ? addressesOf(baseUrl) : [];
  const [base_url] = addresses;
  if (keys === undefined || bounds === undefined || base_url === undefined) return undefined;
  const form = keys.history === undefined ? 'public-keys' : 'key-history';
  return {
    ...keys,
    addresses,
    authorId: bounds.authorId,
    echo: { base_url, keys: form, seen_at: bounds.seenAt ?? null },
  };
}

function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((time) => time !== null).toSorted()[0] ?? null;
}

/** Returns the state of the key by the proof and by its record, whichever is worse. */
function stateOf({ key }: Signature, record?: KeyRecord, twins: readonly KeyRecord[] = []) {
  const known = record === undefined ? [key] : [key, record];
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
    according_to: record === undefined ? 'proof' : 'key-history',
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

/** Returns the record with this key id, this author and these bytes; all three must match. */
function recordOf(history: readonly KeyRecord[], { key }: Signature): KeyRecord | undefined {
  return history.find(
    (record) =>
      record.id === key.id &&
      record.agent_id === key.agent_id &&
      record.public_key === key.public_key,
  );
}

function judgeKey(proof: Proof, signature: Signature, trust: Readable): Judged {
  const { key } = signature;
  const { authorId, history } = trust;
  const apart = { key: stateOf(signature), checked: ['service'] } as const;
  if (authorId !== undefined && authorId !== proof.author_id)
    return {
      ...apart,
      reason: 'other-author',
      detail: 'The trusted keys belong to another author.',
    };
  const record = history === undefined ? undefined : recordOf(history, signature);
  if (record === undefined && !trust.publicKeys.includes(key.public_key))
    return { ...apart, reason: 'unknown-key', detail: 'The key is not among the trusted keys.' };
  const twins = (history ?? []).filter((one) => one.public_key === key.public_key);
  return judgeTimes(signature, stateOf(signature, record, twins), trust);
}

function checkedOf(key: ProofKey, { authorId }: Readable): readonly Checked[] {
  if (key.according_to === 'key-history') return ['service', 'key', 'author', 'key_state'];
  return authorId === undefined ? ['service', 'key'] : ['service', 'key', 'author'];
}

/**
 * The time of the signature is not signed. That does not matter while only the author has the key. Another
 * party that gets the key could sign with an earlier time.
 */
function judgeTimes(signature: Signature, key: ProofKey, trust: Readable): Judged {
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
  if (compromised_at === null || (seen_at !== null && seen_at < compromised_at))
    return { ...judged, trusted: trust.echo };
  return {
    ...judged,
    reason: 'compromised-key',
    detail: `The key was compromised on ${compromised_at}, and the proof does not show that the signature is older.`,
  };
}

/** Judges a proof whose signature verifies by the trust. */
export function judge(proof: Proof, signature: Signature, trusted: unknown): Judged {
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
  return judgeKey(proof, signature, trust);
}
