// Whether something is a proof at all: every member there, of its form, and in no contradiction to another.
import type { AnswerOf, Operations } from './contract.ts';

/** What GET /v1/articles/{id}/revisions/{revision_id}/proof answers. */
export type Proof = AnswerOf<Operations['readProof']>['body'];

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

function text(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

function object(shape: Shape): Check {
  return (value) => typeof value === 'object' && value !== null && misfit(value, shape) === null;
}

/** Name of the first member that does not fit. */
function misfit(value: object, shape: Shape): string | null {
  for (const [name, check] of Object.entries(shape)) {
    if (!check((value as Readonly<Record<string, unknown>>)[name])) return name;
  }
  return null;
}

const timePattern = text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

const id = text(/^[0-9A-HJKMNP-TV-Z]{26}$/);
const time: Check = (value) => timePattern(value) && !Number.isNaN(Date.parse(value as string));
const hash = text(/^sha256:[0-9a-f]{64}$/);

const key: Shape = {
  id,
  agent_id: id,
  public_key: text(/^[\w-]{43}$/),
  status: text(/^(?:active|revoked)$/),
  created_at: time,
  revoked_at: orNull(time),
  compromised_at: orNull(time),
};

const proof: Shape = {
  article_id: id,
  revision_id: id,
  author_id: id,
  base_url: text(/^[^\n]+$/),
  created_at: time,
  published_at: orNull(time),
  content_hash: hash,
  signing_input: text(/^/),
  previous: orNull(object({ revision_id: id, content_hash: orNull(hash) })),
  signature: orNull(object({ signature: text(/^[\w-]{86}$/), signed_at: time, key: object(key) })),
};

/** What a signed proof says that cannot be, as a sentence; undefined where it hangs together. */
function contradiction({ author_id, published_at, signature }: Proof): string | undefined {
  if (signature === null) return undefined;
  const { signed_at, key: by } = signature;
  if (by.agent_id !== author_id) return 'The key is not the author’s.';
  if ((by.status === 'revoked') !== (by.revoked_at !== null))
    return 'The status of the key and the time of its revocation contradict each other.';
  if (by.compromised_at !== null && by.revoked_at === null)
    return 'A key that is in other hands must be revoked.';
  if (published_at === null || published_at > signed_at)
    return 'A signature is taken when its revision is published, not before.';
  return undefined;
}

export type Read = { readonly proof: Proof } | { readonly fault: string };

/** Reads anything at all as a proof. Members that it does not know are left alone. */
export function readProof(value: unknown): Read {
  if (typeof value !== 'object' || value === null) return { fault: 'This is no proof.' };
  try {
    const member = misfit(value, proof);
    if (member !== null) return { fault: `The member ${member} is missing or not of its form.` };
    const fault = contradiction(value as Proof);
    return fault === undefined ? { proof: value as Proof } : { fault };
  } catch {
    // A getter or a proxy of somebody else may do anything.
    return { fault: 'The proof cannot be read.' };
  }
}
