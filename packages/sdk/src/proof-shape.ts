// Validates any value as a proof or a key record: all members present, well-formed and consistent.
import type { BodyAnswer, ItemOf } from './types.ts';

/** The response of GET /v1/articles/{id}/revisions/{revision_id}/proof. */
export type Proof = BodyAnswer<'readProof'>;

/** An item of GET /v1/agents/{id}/keys, or the key of a proof. */
export type KeyRecord = Pick<
  ItemOf<'listKeys'>,
  'id' | 'agent_id' | 'public_key' | 'status' | 'created_at' | 'revoked_at' | 'compromised_at'
>;

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

/** Returns a check for texts that match a pattern. */
export function text(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

/** Returns a check for objects whose own members match a shape; they may have others. */
export function object(shape: Shape): Check {
  return (value) => typeof value === 'object' && value !== null && misfit(value, shape) === null;
}

/** Returns the name of the first member that does not match the shape. Inherited members do not count. */
function misfit(value: object, shape: Shape): string | null {
  for (const [name, check] of Object.entries(shape)) {
    if (!Object.hasOwn(value, name)) return name;
    if (!check((value as Readonly<Record<string, unknown>>)[name])) return name;
  }
  return null;
}

const timePattern = text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

const id = text(/^[0-9A-HJKMNP-TV-Z]{26}$/);
const hash = text(/^sha256:[0-9a-f]{64}$/);

/**
 * Whether a value is a timestamp in the format of the interface. Such texts sort like the times that they
 * name.
 */
export function isTime(value: unknown): value is string {
  return timePattern(value) && !Number.isNaN(Date.parse(value as string));
}

const key: Shape = {
  id,
  agent_id: id,
  public_key: text(/^[\w-]{43}$/),
  status: text(/^(?:active|revoked)$/),
  created_at: isTime,
  revoked_at: orNull(isTime),
  compromised_at: orNull(isTime),
};

const proof: Shape = {
  article_id: id,
  revision_id: id,
  author_id: id,
  base_url: text(/^[^\n]+$/),
  created_at: isTime,
  published_at: orNull(isTime),
  content_hash: hash,
  signing_input: text(/^/),
  previous: orNull(object({ revision_id: id, content_hash: orNull(hash) })),
  signature: orNull(
    object({ signature: text(/^[\w-]{86}$/), signed_at: isTime, key: object(key) }),
  ),
};

/** Describes a contradiction in a key record as a sentence; undefined when there is none. */
function keyContradiction(record: KeyRecord): string | undefined {
  if ((record.status === 'revoked') !== (record.revoked_at !== null))
    return 'The status of the key and the time of its revocation contradict each other.';
  if (record.compromised_at !== null && record.revoked_at === null)
    return 'A compromised key must be revoked.';
  return undefined;
}

/** The times may come from two servers of the same service. */
const clockSkewMs = 300_000;

/** Describes a contradiction in a signed proof as a sentence; undefined when it is consistent. */
function contradiction(proven: Proof): string | undefined {
  const { author_id, created_at, published_at, signature } = proven;
  if (signature === null) return undefined;
  const { signed_at, key: by } = signature;
  if (by.agent_id !== author_id) return 'The key does not belong to the author.';
  if (published_at === null || published_at > signed_at)
    return 'The signature is older than the publication of its revision.';
  if (Date.parse(signed_at) + clockSkewMs < Date.parse(created_at))
    return 'The signature is older than its revision.';
  return keyContradiction(by);
}

export type Read = { readonly proof: Proof } | { readonly fault: string };

/** Reads a plain value as a proof. Unknown members are ignored. */
export function readProof(value: unknown): Read {
  if (typeof value !== 'object' || value === null) return { fault: 'This is not a proof.' };
  const member = misfit(value, proof);
  if (member !== null) return { fault: `The member ${member} is missing or malformed.` };
  const fault = contradiction(value as Proof);
  return fault === undefined ? { proof: value as Proof } : { fault };
}

/** Whether a plain value is a key record as the list of keys returns it. */
export function isKeyRecord(value: unknown): value is KeyRecord {
  return object(key)(value) && keyContradiction(value as KeyRecord) === undefined;
}

/**
 * Returns a plain copy, made once: a getter or a proxy cannot return a different value later, and the caller
 * may change the original meanwhile. Returns undefined for a value that cannot be copied.
 */
export function copyOf(read: () => unknown): { readonly copy: unknown } | undefined {
  try {
    return { copy: structuredClone(read()) };
  } catch {
    return undefined;
  }
}
