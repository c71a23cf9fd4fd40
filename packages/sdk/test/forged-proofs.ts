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

function forged(
  verdict: readonly [Forgery['result'], Forgery['reason']],
  name: string,
  proof: unknown,
  options: VerifyOptions = { trusted },
): Forgery {
  const [result, reason] = verdict;
  return { name, proof, options, result, reason };
}

const withOwnKey: readonly Forgery[] = [
  forged(['consistent', 'no-trust'], 'own key, nothing trusted', mine, {}),
  forged(['consistent', 'no-trust'], 'own key and own text, nothing trusted', mine, { text }),
  forged(['consistent', 'unknown-key'], 'own key', mine),
  forged(['consistent', 'unknown-key'], 'own key against pinned keys', mine, { trusted: pinned }),
  forged(
    ['consistent', 'unknown-key'],
    'own key under the id of the real one',
    mineAs({ id: good.signature.key.id }),
  ),
  forged(
    ['consistent', 'unknown-key'],
    'own key that claims to be old',
    mineAs({ created_at: '2020-01-01T00:00:00.000Z' }),
  ),
  forged(
    ['consistent', 'unknown-key'],
    'own key with an honest revocation',
    mineAs({ status: 'revoked', revoked_at: late }),
  ),
  forged(
    ['consistent', 'unknown-key'],
    'own article of own author',
    signedBy(ownKeys, proofWith({ author_id: revisions[0] })),
  ),
  forged(
    ['consistent', 'other-service'],
    'own key at an own service',
    signedBy(ownKeys, proofWith({ base_url: 'https://evil.example' })),
  ),
];

const withAnothersKey: readonly Forgery[] = [
  forged(
    ['consistent', 'other-author'],
    'a trusted agent signs as another author',
    proofWith({ author_id: revisions[0] }),
    { trusted: { ...pinned, authorId: author } },
  ),
  forged(
    ['consistent', 'unknown-key'],
    'a trusted agent signs as another author, against the history',
    proofWith({ author_id: revisions[0] }),
  ),
  forged(
    ['consistent', 'other-service'],
    'the author signed for another service',
    proofWith({ base_url: 'https://staging.example.org' }),
  ),
  forged(
    ['consistent', 'other-service'],
    'a service below another path',
    proofWith({ base_url: 'https://example.org/evil' }),
  ),
  forged(
    ['consistent', 'other-service'],
    'a service with a user name',
    proofWith({ base_url: 'https://example.org@evil.example' }),
  ),
  forged(
    ['consistent', 'other-service'],
    'an address that is normalised to the trusted one',
    proofWith({ base_url: 'https://exam\tple.org' }),
  ),
  forged(
    ['consistent', 'other-service'],
    'the trusted address over http',
    proofWith({ base_url: 'http://example.org' }),
  ),
  forged(['consistent', 'unknown-key'], 'the history of another agent', good, {
    trusted: { ...trusted, keys: [history({ agent_id: revisions[0] })] },
  }),
  forged(['consistent', 'unknown-key'], 'the id of an older key', good, {
    trusted: { ...trusted, keys: [history({ id: revisions[0] })] },
  }),
];

const withBadTrust: readonly Forgery[] = [
  forged(['consistent', 'unknown-key'], 'an empty history', good, {
    trusted: { ...trusted, keys: [] },
  }),
  forged(['consistent', 'bad-trust'], 'a trust without keys', good, {
    trusted: { baseUrl: good.base_url } as never,
  }),
  forged(['consistent', 'bad-trust'], 'a trust without an address', good, {
    trusted: { keys: [history()] } as never,
  }),
  forged(['consistent', 'bad-trust'], 'one malformed record among the trusted', good, {
    trusted: { ...trusted, keys: [history(), {} as never] },
  }),
  forged(['consistent', 'bad-trust'], 'a record that contradicts itself', good, {
    trusted: { ...trusted, keys: [history({ status: 'revoked' })] },
  }),
  forged(['consistent', 'bad-trust'], 'a pinned key that is cut short', good, {
    trusted: { ...pinned, publicKeys: ['abc'] },
  }),
  forged(['consistent', 'bad-trust'], 'a trust with a misspelt author', good, {
    trusted: { ...pinned, authorID: revisions[0] } as never,
  }),
  forged(
    ['consistent', 'bad-trust'],
    'a trusted address that is not of a service',
    proofWith({ base_url: 'null' }),
    { trusted: { ...pinned, baseUrl: 'data:' } },
  ),
];

const withStolenKey: readonly Forgery[] = [
  forged(['refused', 'key'], 'signed after the revocation in the history', good, {
    trusted: { ...trusted, keys: [history({ status: 'revoked', revoked_at: beforeSigning })] },
  }),
  forged(['refused', 'key'], 'signed after the compromise in the history', good, {
    trusted: { ...trusted, keys: [history({ ...compromised, compromised_at: beforeSigning })] },
  }),
  forged(['refused', 'key'], 'signed before the key was registered', good, {
    trusted: { ...trusted, keys: [history({ created_at: late })] },
  }),
  forged(
    ['consistent', 'compromised-key'],
    'stolen key, time set back, old story of the key',
    good,
    { trusted: { ...trusted, keys: [history(compromised)] } },
  ),
  forged(
    ['consistent', 'compromised-key'],
    'stolen key, time set back, own word of the compromise',
    withKey(good, compromised),
    { trusted: pinned },
  ),
  forged(['consistent', 'compromised-key'], 'stolen key, registered again under a new id', good, {
    trusted: { ...trusted, keys: [history(), history({ ...compromised, id: revisions[0] })] },
  }),
  forged(['consistent', 'compromised-key'], 'stolen key, seen only after the compromise', good, {
    trusted: { ...trusted, keys: [history(compromised)], seenAt: late },
  }),
  forged(['refused', 'key'], 'dated after it was seen', good, {
    trusted: { ...trusted, seenAt: early },
  }),
];

const changed: readonly Forgery[] = [
  forged(['refused', 'content-hash'], 'another text under a true proof', good, {
    trusted,
    text: { ...text, content: 'Buy.' },
  }),
  forged(
    ['refused', 'signing-input'],
    'another hash in the proof',
    part({ content_hash: `sha256:${'0'.repeat(64)}` }),
  ),
  forged(
    ['refused', 'signature'],
    'another hash in the proof and in what was signed',
    part({
      content_hash: `sha256:${'0'.repeat(64)}`,
      signing_input: inputOf({ ...good, content_hash: `sha256:${'0'.repeat(64)}` }),
    }),
  ),
  forged(
    ['refused', 'signature'],
    'the signature of another revision',
    signature(previousProof().signature.signature),
  ),
  forged(
    ['refused', 'signature'],
    'the own signature beside the trusted public key',
    signature(mine.signature.signature),
  ),
  forged(
    ['refused', 'malformed'],
    'the signature of another agent',
    withKey(good, { agent_id: revisions[0] }),
  ),
  forged(['refused', 'unsigned'], 'the signature removed', part({ signature: null })),
  forged(['refused', 'chain'], 'a revision left out', good, {
    trusted,
    previous: proofWith({ revision_id: '01J8ZQ4Y7D3M5N6P8R9S0T1V3C' }),
  }),
  forged(['refused', 'chain'], 'a forged previous revision', good, {
    trusted,
    previous: {
      ...previousProof(),
      signature: { ...previousProof().signature, signature: good.signature.signature },
    },
  }),
  forged(['refused', 'content-hash'], 'metadata that looks empty', emptyProof, {
    trusted,
    text: { ...emptyText, metadata: new Map([['sold', true]]) },
  }),
  forged(['refused', 'content-hash'], 'metadata that looks empty inside', emptyInside, {
    trusted,
    text: { ...emptyText, metadata: { a: [new Set(['sold'])] } },
  }),
  forged(
    ['refused', 'malformed'],
    'created after it was signed, and after the key was revoked',
    proofWith({ created_at: late }),
  ),
  forged(['refused', 'malformed'], 'published after it was signed', part({ published_at: late })),
  forged(
    ['refused', 'signing-input'],
    'a key registration passed off as a revision',
    part({ signing_input: `publishing-network/key/v1\n${good.base_url}` }),
  ),
];

/** Members inherited and not own, and input that answers differently each time it is asked. */
const alive: readonly Forgery[] = [
  forged(['refused', 'malformed'], 'a proof whose members are inherited', Object.create(good)),
  forged(['refused', 'malformed'], 'a proxy in front of a true proof', new Proxy(good, {})),
  forged(['consistent', 'bad-trust'], 'a proxy in place of the trust', good, {
    trusted: new Proxy(trusted, {}),
  }),
  forged(['refused', 'content-hash'], 'a proxy in place of the text', good, {
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
