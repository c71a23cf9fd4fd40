// Proofs as the service makes them, signed here by node:crypto with a key of their own.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { KeyRecord, Proof, ProvenText } from '@colophon/sdk';
import canonicalize from 'canonicalize';

interface Keys {
  readonly privateKey: KeyObject;
  readonly publicKey: string;
}

function freshKeys(): Keys {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: privateKey.export({ format: 'jwk' }).x ?? '' };
}

const { privateKey, publicKey } = freshKeys();
/** Keys of somebody else: what anybody can make. */
export const ownKeys = freshKeys();

export const text: ProvenText & { readonly metadata: object } = {
  title: 'On proofs – “quoted”',
  content: 'First line\r\nsecond line 😀\n',
  metadata: { topics: ['Proofs'], n: 1e21, nested: { b: [true, null], a: -0.5 } },
};

export type SignedProof = Proof & { readonly signature: NonNullable<Proof['signature']> };

export function hashOf(of: ProvenText): string {
  const { title, content, metadata = {} } = of;
  const form = canonicalize({ content, metadata, title }) ?? '';
  return `sha256:${createHash('sha256').update(form).digest('hex')}`;
}

export function inputOf(proof: Proof): string {
  const { base_url, article_id, revision_id, author_id, created_at, content_hash } = proof;
  const parts = [base_url, article_id, revision_id, author_id, created_at, content_hash];
  return ['publishing-network/revision/v1', ...parts].join('\n');
}

export function signatureOf(input: string): string {
  return sign(null, Buffer.from(input), privateKey).toString('base64url');
}

const article = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
const author = '01J8ZQ4Y7D3M5N6P8R9S0T1V2X';
export const revisions = ['01J8ZQ4Y7D3M5N6P8R9S0T1V3A', '01J8ZQ4Y7D3M5N6P8R9S0T1V3B'] as const;

/** A valid proof with changes made before it is signed. */
export function proofWith(changes: Partial<Proof> = {}): SignedProof {
  const unsigned = {
    article_id: article,
    revision_id: revisions[1],
    author_id: author,
    base_url: 'https://example.org',
    created_at: '2026-05-01T10:00:00.000Z',
    published_at: '2026-05-02T10:00:00.000Z',
    content_hash: hashOf(text),
    signing_input: '',
    previous: {
      revision_id: revisions[0],
      content_hash: hashOf({ title: 'Before', content: '.' }),
    },
    signature: null,
    ...changes,
  } as Proof;
  const signing_input = inputOf(unsigned);
  const key = {
    id: '01J8ZQ4Y7D3M5N6P8R9S0T1V4A',
    agent_id: unsigned.author_id,
    public_key: publicKey,
    status: 'active' as const,
    created_at: '2026-04-01T10:00:00.000Z',
    revoked_at: null,
    compromised_at: null,
  };
  const signature = {
    signature: signatureOf(signing_input),
    signed_at: '2026-05-03T10:00:00.000Z',
    key,
  };
  return { ...unsigned, signing_input, signature };
}

/** The proof of the revision before. */
export function previousProof(): SignedProof {
  const before = { title: 'Before', content: '.' };
  return proofWith({
    revision_id: revisions[0],
    content_hash: hashOf(before),
    previous: null,
    created_at: '2026-04-30T10:00:00.000Z',
  });
}

type Key = SignedProof['signature']['key'];

/** The same proof with another history of its key, which no one signs. */
export function withKey(proof: SignedProof, changes: Partial<Key>): SignedProof {
  const key = { ...proof.signature.key, ...changes };
  return { ...proof, signature: { ...proof.signature, key } };
}

/** The same proof, signed by other keys, which it names as the author's. */
export function signedBy(keys: Keys, proof: SignedProof): SignedProof {
  const signature = sign(null, Buffer.from(inputOf(proof)), keys.privateKey).toString('base64url');
  const key = { ...proof.signature.key, public_key: keys.publicKey };
  return { ...proof, signature: { ...proof.signature, signature, key } };
}

/** The record of the key as the service lists it, with another story. */
export function history(changes: Partial<KeyRecord> = {}): KeyRecord {
  return { ...proofWith().signature.key, ...changes };
}
