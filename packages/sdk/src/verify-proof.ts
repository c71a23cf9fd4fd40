// Verifies a published revision without the service: nothing is needed but its proof, and the text.
import canonicalize from 'canonicalize';
import { bytesOf, verifySignature } from './ed25519.ts';
import { readProof } from './proof-shape.ts';
import type { Proof } from './proof-shape.ts';

/** The text that a proof is about; an article or a revision as the service answers it will do. */
export interface ProvenText {
  readonly title: string;
  readonly content: string;
  /** Left out: `{}`. */
  readonly metadata?: unknown;
}

/**
 * Why a proof does not hold. `malformed`: it is no proof, or contradicts itself. `signing-input`: what was
 * signed is not what the proof says of the revision. `chain`: the revision before is another one.
 * `content-hash`: the text is another one. `unsigned`: nobody signed; the rest holds. `signature`: it does
 * not verify. `key`: the key did not hold when it signed.
 */
export type ProofReason =
  | 'malformed'
  | 'signing-input'
  | 'chain'
  | 'content-hash'
  | 'unsigned'
  | 'signature'
  | 'key';

export type ProofVerdict =
  | {
      readonly valid: true;
      readonly article_id: string;
      readonly revision_id: string;
      /** The agent who signed. */
      readonly author_id: string;
      readonly key_id: string;
      /** The secret’s public half: compare it with one that you have from elsewhere. */
      readonly public_key: string;
      readonly signed_at: string;
      readonly content_hash: string;
      /** Whether a text was given, and is the one that was signed. */
      readonly text_matches: boolean;
    }
  | { readonly valid: false; readonly reason: ProofReason; readonly detail: string };

const encoder = new TextEncoder();

function refused(reason: ProofReason, detail: string): ProofVerdict {
  return { valid: false, reason, detail };
}

function signingInput(proof: Proof): string {
  return [
    'publishing-network/revision/v1',
    proof.base_url,
    proof.article_id,
    proof.revision_id,
    proof.author_id,
    proof.created_at,
    proof.content_hash,
  ].join('\n');
}

/** RFC 8785 form of a text; undefined for what has none, such as a lone surrogate. */
function canonicalForm(text: ProvenText): string | undefined {
  try {
    const { title, content, metadata = {} } = text;
    return canonicalize({ content, metadata, title });
  } catch {
    return undefined;
  }
}

async function contentHash(form: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(form));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return `sha256:${hex.join('')}`;
}

function chainFault(proof: Proof, previous: unknown): string | undefined {
  const named = proof.previous;
  if (named?.revision_id === proof.revision_id)
    return 'The revision names itself as the one before.';
  if (previous === undefined) return undefined;
  const before = readProof(previous);
  if ('fault' in before) return `The proof of the revision before is none. ${before.fault}`;
  const { article_id, author_id, revision_id, content_hash } = before.proof;
  if (article_id !== proof.article_id || author_id !== proof.author_id)
    return 'The revision before is of another article.';
  if (named?.revision_id !== revision_id) return 'The proof names another revision before it.';
  if (named.content_hash !== content_hash)
    return 'The proof names another hash of the revision before it.';
  return undefined;
}

async function textFault(proof: Proof, text: ProvenText | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const form = canonicalForm(text);
  if (form === undefined) return 'The text has no canonical form.';
  const hash = await contentHash(form);
  return hash === proof.content_hash ? undefined : `The text has the hash ${hash}.`;
}

type Signature = NonNullable<Proof['signature']>;

async function verifies({ signature, key }: Signature, input: string): Promise<boolean> {
  const [bytes, publicKey] = [bytesOf(signature), bytesOf(key.public_key)];
  if (bytes === undefined || publicKey === undefined) return false;
  return verifySignature(bytes, encoder.encode(input), publicKey);
}

/** Times have one form, so they compare as texts. */
function keyFault({ signed_at, key }: Signature): string | undefined {
  const { created_at, revoked_at, compromised_at } = key;
  if (signed_at < created_at) return `The key was registered only on ${created_at}.`;
  if (revoked_at !== null && signed_at > revoked_at) return `The key was revoked on ${revoked_at}.`;
  if (compromised_at !== null && signed_at >= compromised_at)
    return `The key may have been in other hands since ${compromised_at}.`;
  return undefined;
}

/**
 * Verifies a proof as GET /v1/articles/{id}/revisions/{revision_id}/proof answers it, anything else too,
 * offline. With `text`, its hash must be the signed one; with the `previous` revision’s proof, the two must
 * be neighbours. Never rejects for what it is given, only where there is no WebCrypto.
 *
 * A signature made while its key held stays valid after a revocation; from `compromised_at` on it proves
 * nothing. The times and the chain are the service’s word, not signed by the agent.
 */
export async function verifyProof(
  proof: unknown,
  text?: ProvenText,
  previous?: unknown,
): Promise<ProofVerdict> {
  const read = readProof(proof);
  if ('fault' in read) return refused('malformed', read.fault);
  const sound = read.proof;
  const input = signingInput(sound);
  if (sound.signing_input !== input)
    return refused('signing-input', 'What was signed names another revision than the proof does.');
  const chain = chainFault(sound, previous);
  if (chain !== undefined) return refused('chain', chain);
  const mismatch = await textFault(sound, text);
  if (mismatch !== undefined) return refused('content-hash', mismatch);
  const { signature } = sound;
  if (signature === null) return refused('unsigned', 'Nobody signed this revision.');
  if (!(await verifies(signature, input)))
    return refused('signature', 'The signature is not over this revision by this key.');
  const untimely = keyFault(signature);
  if (untimely !== undefined) return refused('key', untimely);
  return {
    valid: true,
    article_id: sound.article_id,
    revision_id: sound.revision_id,
    author_id: sound.author_id,
    key_id: signature.key.id,
    public_key: signature.key.public_key,
    signed_at: signature.signed_at,
    content_hash: sound.content_hash,
    text_matches: text !== undefined,
  };
}
