// A corpus of forged proofs: each with what the attacker did, and the verdict that must follow.
import type { ProofReason, ProofVerdict, TrustReason, VerifyOptions } from '@colophon/sdk';
import {
  hashOf,
  history,
  inputOf,
  ownKeys,
  previousProof,
  proofWith,
  revisions,
  signedBy,
  text,
  withKey,
} from './proofs.ts';
import type { SignedProof } from './proofs.ts';

export interface Forgery {
  readonly name: string;
  readonly proof: unknown;
  readonly options?: VerifyOptions;
  readonly result: Exclude<ProofVerdict['result'], 'valid'>;
  readonly reason: ProofReason | TrustReason;
}

const good = proofWith();
const author = good.author_id;
const trusted = { baseUrl: good.base_url, keys: [history()] };
const pinned = { baseUrl: good.base_url, publicKeys: [good.signature.key.public_key] };
const [early, late] = ['2026-04-20T00:00:00.000Z', '2026-06-01T00:00:00.000Z'];
const beforeSigning = '2026-05-03T09:00:00.000Z';
const compromised = { status: 'revoked', revoked_at: late, compromised_at: late } as const;

/** The attacker's key, told as if it were the author's. */
const mine = signedBy(ownKeys, proofWith());
const mineAs = (changes: Partial<SignedProof['signature']['key']>) => withKey(mine, changes);
const signature = (value: string): unknown => ({
  ...good,
  signature: { ...good.signature, signature: value },
});
const part = (changes: object): unknown => ({ ...good, ...changes });

const emptyText = { title: 'T', content: 'C' };
const emptyProof = proofWith({ content_hash: hashOf(emptyText) });
const emptyInside = proofWith({ content_hash: hashOf({ ...emptyText, metadata: { a: [{}] } }) });

function forge(
  verdict: readonly [Forgery['result'], Forgery['reason']],
  name: string,
  proof: unknown,
  options: VerifyOptions = { trusted },
): Forgery {
  const [result, reason] = verdict;
  return { name, proof, options, result, reason };
}

const withOwnKey: readonly Forgery[] = [
  forge(['consistent', 'no-trust'], 'own key, nothing trusted', mine, {}),
  forge(['consistent', 'no-trust'], 'own key and own text, nothing trusted', mine, { text }),
  forge(['consistent', 'unknown-key'], 'own key', mine),
  forge(['consistent', 'unknown-key'], 'own key against pinned keys', mine, { trusted: pinned }),
  forge(
    ['consistent', 'unknown-key'],
    'own key under the id of the real one',
    mineAs({ id: good.signature.key.id }),
  ),
  forge(
    ['consistent', 'unknown-key'],
    'own key that claims to be old',
    mineAs({ created_at: '2020-01-01T00:00:00.000Z' }),
  ),
  forge(
    ['consistent', 'unknown-key'],
    'own key with an honest revocation',
    mineAs({ status: 'revoked', revoked_at: late }),
  ),
  forge(
    ['consistent', 'unknown-key'],
    'own article of own author',
    signedBy(ownKeys, proofWith({ author_id: revisions[0] })),
  ),
  forge(
    ['consistent', 'other-service'],
    'own key at an own service',
    signedBy(ownKeys, proofWith({ base_url: 'https://evil.example' })),
  ),
];

const withAnothersKey: readonly Forgery[] = [
  forge(
    ['consistent', 'other-author'],
    'a trusted agent signs as another author',
    proofWith({ author_id: revisions[0] }),
    { trusted: { ...pinned, authorId: author } },
  ),
  forge(
    ['consistent', 'unknown-key'],
    'a trusted agent signs as another author, against the history',
    proofWith({ author_id: revisions[0] }),
  ),
  forge(
    ['consistent', 'other-service'],
    'the author signed for another service',
    proofWith({ base_url: 'https://staging.example.org' }),
  ),
  forge(
    ['consistent', 'other-service'],
    'a service below another path',
    proofWith({ base_url: 'https://example.org/evil' }),
  ),
  forge(
    ['consistent', 'other-service'],
    'a service with a user name',
    proofWith({ base_url: 'https://example.org@evil.example' }),
  ),
  forge(
    ['consistent', 'other-service'],
    'an address that is normalised to the trusted one',
    proofWith({ base_url: 'https://exam\tple.org' }),
  ),
  forge(
    ['consistent', 'other-service'],
    'the trusted address over http',
    proofWith({ base_url: 'http://example.org' }),
  ),
  forge(['consistent', 'unknown-key'], 'the history of another agent', good, {
    trusted: { ...trusted, keys: [history({ agent_id: revisions[0] })] },
  }),
  forge(['consistent', 'unknown-key'], 'the id of an older key', good, {
    trusted: { ...trusted, keys: [history({ id: revisions[0] })] },
  }),
];

const withBadTrust: readonly Forgery[] = [
  forge(['consistent', 'unknown-key'], 'an empty history', good, {
    trusted: { ...trusted, keys: [] },
  }),
  forge(['consistent', 'bad-trust'], 'a trust without keys', good, {
    trusted: { baseUrl: good.base_url } as never,
  }),
  forge(['consistent', 'bad-trust'], 'a trust without an address', good, {
    trusted: { keys: [history()] } as never,
  }),
  forge(['consistent', 'bad-trust'], 'one malformed record among the trusted', good, {
    trusted: { ...trusted, keys: [history(), {} as never] },
  }),
  forge(['consistent', 'bad-trust'], 'a record that contradicts itself', good, {
    trusted: { ...trusted, keys: [history({ status: 'revoked' })] },
  }),
  forge(['consistent', 'bad-trust'], 'a pinned key that is cut short', good, {
    trusted: { ...pinned, publicKeys: ['abc'] },
  }),
  forge(['consistent', 'bad-trust'], 'a trust with a misspelt author', good, {
    trusted: { ...pinned, authorID: revisions[0] } as never,
  }),
  forge(
    ['consistent', 'bad-trust'],
    'a trusted address that is not of a service',
    proofWith({ base_url: 'null' }),
    { trusted: { ...pinned, baseUrl: 'data:' } },
  ),
];

const withStolenKey: readonly Forgery[] = [
  forge(['refused', 'key'], 'signed after the revocation in the history', good, {
    trusted: { ...trusted, keys: [history({ status: 'revoked', revoked_at: beforeSigning })] },
  }),
  forge(['refused', 'key'], 'signed after the compromise in the history', good, {
    trusted: { ...trusted, keys: [history({ ...compromised, compromised_at: beforeSigning })] },
  }),
  forge(['refused', 'key'], 'signed before the key was registered', good, {
    trusted: { ...trusted, keys: [history({ created_at: late })] },
  }),
  forge(
    ['consistent', 'compromised-key'],
    'stolen key, time set back, old story of the key',
    good,
    { trusted: { ...trusted, keys: [history(compromised)] } },
  ),
  forge(
    ['consistent', 'compromised-key'],
    'stolen key, time set back, own word of the compromise',
    withKey(good, compromised),
    { trusted: pinned },
  ),
  forge(['consistent', 'compromised-key'], 'stolen key, registered again under a new id', good, {
    trusted: { ...trusted, keys: [history(), history({ ...compromised, id: revisions[0] })] },
  }),
  forge(['consistent', 'compromised-key'], 'stolen key, seen only after the compromise', good, {
    trusted: { ...trusted, keys: [history(compromised)], seenAt: late },
  }),
  forge(['refused', 'key'], 'dated after it was seen', good, {
    trusted: { ...trusted, seenAt: early },
  }),
];

const changed: readonly Forgery[] = [
  forge(['refused', 'content-hash'], 'another text under a true proof', good, {
    trusted,
    text: { ...text, content: 'Buy.' },
  }),
  forge(
    ['refused', 'signing-input'],
    'another hash in the proof',
    part({ content_hash: `sha256:${'0'.repeat(64)}` }),
  ),
  forge(
    ['refused', 'signature'],
    'another hash in the proof and in what was signed',
    part({
      content_hash: `sha256:${'0'.repeat(64)}`,
      signing_input: inputOf({ ...good, content_hash: `sha256:${'0'.repeat(64)}` }),
    }),
  ),
  forge(
    ['refused', 'signature'],
    'the signature of another revision',
    signature(previousProof().signature.signature),
  ),
  forge(
    ['refused', 'signature'],
    'the attacker’s own signature beside the trusted public key',
    signature(mine.signature.signature),
  ),
  forge(
    ['refused', 'malformed'],
    'the signature of another agent',
    withKey(good, { agent_id: revisions[0] }),
  ),
  forge(['refused', 'unsigned'], 'the signature removed', part({ signature: null })),
  forge(['refused', 'chain'], 'a revision left out', good, {
    trusted,
    previous: proofWith({ revision_id: '01J8ZQ4Y7D3M5N6P8R9S0T1V3C' }),
  }),
  forge(['refused', 'chain'], 'a forged previous revision', good, {
    trusted,
    previous: {
      ...previousProof(),
      signature: { ...previousProof().signature, signature: good.signature.signature },
    },
  }),
  forge(['refused', 'content-hash'], 'metadata that looks empty', emptyProof, {
    trusted,
    text: { ...emptyText, metadata: new Map([['sold', true]]) },
  }),
  forge(['refused', 'content-hash'], 'metadata that looks empty inside', emptyInside, {
    trusted,
    text: { ...emptyText, metadata: { a: [new Set(['sold'])] } },
  }),
  forge(
    ['refused', 'malformed'],
    'created after it was signed, and after the key was revoked',
    proofWith({ created_at: late }),
  ),
  forge(['refused', 'malformed'], 'published after it was signed', part({ published_at: late })),
  forge(
    ['refused', 'signing-input'],
    'a key registration passed off as a revision',
    part({ signing_input: `publishing-network/key/v1\n${good.base_url}` }),
  ),
];

/** Members inherited and not own, and input that answers differently each time it is asked. */
const alive: readonly Forgery[] = [
  forge(['refused', 'malformed'], 'a proof whose members are inherited', Object.create(good)),
  forge(['refused', 'malformed'], 'a proxy in front of a true proof', new Proxy(good, {})),
  forge(['consistent', 'bad-trust'], 'a proxy in place of the trust', good, {
    trusted: new Proxy(trusted, {}),
  }),
  forge(['refused', 'content-hash'], 'a proxy in place of the text', good, {
    trusted,
    text: new Proxy(text, {}),
  }),
];

export const forgeries = [
  ...withOwnKey,
  ...withAnothersKey,
  ...withBadTrust,
  ...withStolenKey,
  ...changed,
  ...alive,
];
