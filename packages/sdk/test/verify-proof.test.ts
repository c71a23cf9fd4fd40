// verifyProof: sound proofs hold, every other one is refused for the reason that it has, and nothing throws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyProof } from '@colophon/sdk';
import type { ProofReason, ProvenText } from '@colophon/sdk';
import {
  inputOf,
  previousProof,
  proofWith,
  revisions,
  signatureOf,
  text,
  withKey,
} from './proofs.ts';

async function assertRefused(
  reason: ProofReason,
  proof: unknown,
  given?: ProvenText,
  previous?: unknown,
): Promise<void> {
  const verdict = await verifyProof(proof, given, previous);
  assert.ok(!verdict.valid, 'it was taken for valid');
  assert.equal(verdict.reason, reason, verdict.detail);
  assert.match(verdict.detail, /^[A-Z].{10,}\.$/);
}

test('valid: says who signed what, with which key, and whether the text was looked at', async () => {
  const proof = proofWith();
  const verdict = await verifyProof(proof, text, previousProof());
  assert.deepEqual(verdict, {
    valid: true,
    article_id: proof.article_id,
    revision_id: proof.revision_id,
    author_id: proof.author_id,
    key_id: proof.signature.key.id,
    public_key: proof.signature.key.public_key,
    signed_at: proof.signature.signed_at,
    content_hash: proof.content_hash,
    text_matches: true,
  });
  assert.deepEqual(await verifyProof(proof), { ...verdict, text_matches: false });
});

test('valid: through JSON, with members that are not known, and with an article in place of the text', async () => {
  const proof: unknown = JSON.parse(JSON.stringify({ ...proofWith(), later: { added: true } }));
  const article = { ...text, id: 'x', trust: 'untrusted', excerpt: '…' };
  assert.ok((await verifyProof(proof, article)).valid);
});

test('valid: a text without metadata is one with none', async () => {
  const bare = { title: 'Bare', content: '.' };
  const { content_hash } = previousProof();
  assert.ok(!(await verifyProof(previousProof(), bare)).valid);
  assert.ok((await verifyProof(previousProof(), { title: 'Before', content: '.' })).valid);
  assert.ok(content_hash.startsWith('sha256:'));
});

test('content-hash: another title, content or metadata, and what has no canonical form', async () => {
  const proof = proofWith();
  for (const other of [
    { ...text, title: `${text.title} ` },
    { ...text, content: text.content.replace('\r\n', '\n') },
    { ...text, metadata: {} },
    { ...text, metadata: { ...text.metadata, n: 1 } },
    { ...text, content: '\ud800' },
    { ...text, metadata: { n: Number.NaN } },
  ])
    await assertRefused('content-hash', proof, other);
  for (const nonsense of [null, 5, {}, { title: 1 }])
    await assertRefused('content-hash', proof, nonsense as unknown as ProvenText);
});

test('unsigned: when all the rest holds', async () => {
  const proof = { ...proofWith(), signature: null };
  await assertRefused('unsigned', proof, text, previousProof());
  await assertRefused('content-hash', proof, { ...text, title: 'Another' });
});

test('chain: the revision before is another, or its proof is none', async () => {
  const [proof, previous] = [proofWith(), previousProof()];
  const named = { revision_id: revisions[0], content_hash: null };
  await assertRefused('chain', { ...proof, previous: null }, text, previous);
  await assertRefused('chain', { ...proof, previous: named }, text, previous);
  await assertRefused('chain', proof, text, proof);
  await assertRefused('chain', proof, text, { ...previous, article_id: proof.author_id });
  await assertRefused('chain', proof, text, {});
  await assertRefused('chain', proofWith({ previous: { ...named, revision_id: revisions[1] } }));
});

test('key: not yet registered, revoked before, in other hands since then or earlier', async () => {
  const proof = proofWith();
  const { signed_at } = proof.signature;
  const [before, after] = ['2026-05-03T09:59:59.999Z', '2026-05-03T10:00:00.001Z'];
  const revoked = { status: 'revoked', revoked_at: after } as const;
  for (const changes of [
    { created_at: after },
    { status: 'revoked', revoked_at: before } as const,
    { ...revoked, compromised_at: before },
    { ...revoked, compromised_at: signed_at },
  ])
    await assertRefused('key', withKey(proof, changes));
  for (const changes of [
    { created_at: signed_at },
    revoked,
    { ...revoked, revoked_at: signed_at },
    { ...revoked, compromised_at: after },
  ])
    assert.ok((await verifyProof(withKey(proof, changes))).valid, JSON.stringify(changes));
});

test('malformed: what contradicts itself', async () => {
  const proof = proofWith();
  await assertRefused('malformed', withKey(proof, { status: 'revoked' }));
  await assertRefused('malformed', withKey(proof, { revoked_at: '2026-06-01T00:00:00.000Z' }));
  await assertRefused('malformed', withKey(proof, { compromised_at: '2026-06-01T00:00:00.000Z' }));
  await assertRefused('malformed', withKey(proof, { agent_id: proof.article_id }));
  await assertRefused('malformed', { ...proof, published_at: null });
  await assertRefused('malformed', { ...proof, published_at: '2026-05-03T10:00:00.001Z' });
});

test('signing-input: a base URL with lines of its own shifts nothing', async () => {
  const proof = proofWith();
  const shifted = { ...proof, base_url: `${proof.base_url}\n${proof.article_id}` };
  await assertRefused('malformed', shifted);
  await assertRefused('signing-input', { ...proof, signing_input: `${proof.signing_input}\n` });
});

test('signature: by another key, over another text, in another spelling', async () => {
  const proof = proofWith();
  const { signature } = proof.signature;
  const with_ = (text_: string) => ({
    ...proof,
    signature: { ...proof.signature, signature: text_ },
  });
  await assertRefused('signature', with_(signatureOf(`${inputOf(proof)}\n`)));
  await assertRefused('signature', with_('A'.repeat(86)));
  // The last character of 64 bytes carries two bits only: the others make a second spelling.
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = last[last.indexOf(signature.at(-1) ?? '') + 1] ?? '';
  await assertRefused('signature', with_(signature.slice(0, -1) + twin));
  await assertRefused('malformed', with_(`${signature}==`));
});
