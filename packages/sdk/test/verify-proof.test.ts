// verifyProof: valid only against what is trusted; every forgery is told for what it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyProof } from '@colophon/sdk';
import type { ProofReason, ProvenText } from '@colophon/sdk';
import { forgeries } from './forged-proofs.ts';
import { genuine } from './genuine-proofs.ts';
import {
  history,
  inputOf,
  ownKeys,
  previousProof,
  proofWith,
  revisions,
  signatureOf,
  signedBy,
  text,
  withKey,
} from './proofs.ts';

const trusted = { baseUrl: 'https://example.org', keys: [history()] };

async function assertRefused(
  reason: ProofReason,
  proof: unknown,
  given?: ProvenText,
  previous?: unknown,
): Promise<void> {
  const verdict = await verifyProof(proof, { text: given, previous, trusted });
  assert.ok(verdict.result === 'refused', verdict.result);
  assert.equal(verdict.reason, reason, verdict.detail);
  assert.match(verdict.detail, /^[A-Z].{10,}\.$/);
}

for (const { name, proof, options, result, reason } of forgeries)
  test(`forged, ${reason}: ${name}`, async () => {
    const verdict = await verifyProof(proof, options);
    assert.equal(verdict.valid, false);
    assert.deepEqual([verdict.result, !verdict.valid && verdict.reason], [result, reason]);
    assert.match(verdict.valid ? '' : verdict.detail, /^[A-Z].{10,}\.$/);
  });

for (const [name, proof, options] of genuine)
  test(`genuine, valid: ${name}`, async () => {
    const verdict = await verifyProof(proof, options);
    assert.equal(verdict.result, 'valid', JSON.stringify(verdict));
  });

test('the corpus has 40 forged proofs and more, each of its own', () => {
  assert.ok(forgeries.length >= 40, String(forgeries.length));
  assert.equal(new Set(forgeries.map(({ name }) => name)).size, forgeries.length);
});

test('valid: says who signed what for which service, what it rests on, and what it leaves open', async () => {
  const proof = proofWith();
  const { agent_id: _, ...key } = proof.signature.key;
  const facts = {
    base_url: proof.base_url,
    article_id: proof.article_id,
    revision_id: proof.revision_id,
    claimed_author_id: proof.author_id,
    created_at: proof.created_at,
    content_hash: proof.content_hash,
    signed_at: proof.signature.signed_at,
  };
  const valid = { result: 'valid', valid: true, consistent: true } as const;
  assert.deepEqual(await verifyProof(proof, { text, previous: previousProof(), trusted }), {
    ...valid,
    ...facts,
    author_id: proof.author_id,
    trusted: { base_url: 'https://example.org', keys: 'key-history', seen_at: null },
    key: { ...key, according_to: 'key-history' },
    text_matches: true,
    previous_matches: true,
    log: 'not-checked',
    logged: null,
    not_checked: ['previous', 'signed_at', 'published_at', 'log'],
  });
  const publicKeys = [key.public_key];
  assert.deepEqual(await verifyProof(proof, { trusted: { baseUrl: proof.base_url, publicKeys } }), {
    ...valid,
    ...facts,
    author_id: null,
    trusted: { base_url: 'https://example.org', keys: 'public-keys', seen_at: null },
    key: { ...key, according_to: 'proof' },
    text_matches: false,
    previous_matches: false,
    log: 'not-checked',
    logged: null,
    not_checked: ['author', 'key_state', 'text', 'previous', 'signed_at', 'published_at', 'log'],
  });
});

test('a pinned key without its author names no author: its holder could claim to be anybody', async () => {
  const claim = proofWith({ author_id: revisions[0] });
  const publicKeys = [claim.signature.key.public_key];
  const pinned = { baseUrl: claim.base_url, publicKeys };
  const verdict = await verifyProof(claim, { trusted: pinned });
  assert.ok(verdict.valid && verdict.author_id === null);
  assert.equal(verdict.claimed_author_id, revisions[0]);
  assert.ok(verdict.not_checked.includes('author'));
  const author = { ...pinned, authorId: revisions[0] };
  const named = await verifyProof(claim, { trusted: author });
  assert.ok(named.valid && named.author_id === revisions[0]);
});

test('consistent: without a trust the facts are there, and so is what was not checked', async () => {
  const verdict = await verifyProof(proofWith(), { text });
  assert.ok(verdict.result === 'consistent' && verdict.reason === 'no-trust');
  assert.deepEqual(
    [verdict.valid, verdict.consistent, verdict.base_url, verdict.text_matches, verdict.author_id],
    [false, true, 'https://example.org', true, null],
  );
  assert.deepEqual(verdict.not_checked.slice(0, 4), ['service', 'key', 'author', 'key_state']);
});

test('the state of the key is the worse of what proof and history say', async () => {
  const revoked = { status: 'revoked', revoked_at: '2026-06-01T00:00:00.000Z' } as const;
  const states = await Promise.all(
    [
      [proofWith(), history(revoked)],
      [withKey(proofWith(), revoked), history()],
      [proofWith(), history({ ...revoked, compromised_at: revoked.revoked_at })],
    ].map(async ([proof, record]) => {
      const keys = [record as ReturnType<typeof history>];
      const verdict = await verifyProof(proof, { trusted: { ...trusted, keys } });
      return verdict.consistent && verdict.key.status;
    }),
  );
  assert.deepEqual(states, ['revoked', 'revoked', 'compromised']);
});

test('the state of a key that the history has twice is the worse one, in either order', async () => {
  const times = { revoked_at: '2026-05-01T00:00:00.000Z' };
  const revoked = history({ status: 'revoked', ...times });
  for (const keys of [
    [history(), revoked],
    [revoked, history()],
  ]) {
    const verdict = await verifyProof(proofWith(), { trusted: { ...trusted, keys } });
    assert.deepEqual([verdict.result, !verdict.valid && verdict.reason], ['refused', 'key']);
  }
});

test('an inherited trust was not given: nothing is valid by it', async () => {
  const verdict = await verifyProof(proofWith(), Object.create({ trusted }));
  assert.deepEqual([verdict.result, !verdict.valid && verdict.reason], ['consistent', 'no-trust']);
});

test('what changes after the call, or between two looks, is not looked at', async () => {
  const proof = structuredClone(proofWith());
  const changing = { ...text };
  const options = { text: changing, trusted: structuredClone(trusted) };
  const pending = verifyProof(proof, options);
  Object.assign(proof, { author_id: revisions[0], content_hash: `sha256:${'0'.repeat(64)}` });
  Object.assign(changing, { content: 'Buy.' });
  options.trusted.keys.length = 0;
  const verdict = await pending;
  assert.ok(verdict.valid && verdict.text_matches);
  assert.equal(verdict.claimed_author_id, proofWith().author_id);

  let looks = 0;
  const twoFaced = Object.defineProperty({ ...proofWith() }, 'author_id', {
    enumerable: true,
    get: () => ((looks += 1) === 1 ? proofWith().author_id : revisions[0]),
  });
  const second = await verifyProof(twoFaced, { trusted });
  assert.equal(looks, 1);
  assert.ok(second.valid && second.claimed_author_id === proofWith().author_id);
});

test('the revision before is never vouched for: no signature says which one it was', async () => {
  const unsigned = { ...previousProof(), signature: null };
  for (const previous of [unsigned, signedBy(ownKeys, previousProof())]) {
    const verdict = await verifyProof(proofWith(), { text, previous, trusted });
    assert.ok(verdict.valid && verdict.previous_matches);
    assert.ok(verdict.not_checked.includes('previous'));
  }
});

test('an unknown option is a TypeError, not a text left unchecked', async () => {
  const options = { txt: text } as never;
  await assert.rejects(verifyProof(proofWith(), options), /verifyProof has no option txt/);
  await assert.rejects(verifyProof(proofWith(), text as never), TypeError);
  await assert.rejects(verifyProof(proofWith(), null as never), TypeError);
});

test('valid: through JSON, with members that are not known, and with an article in place of the text', async () => {
  const proof: unknown = JSON.parse(JSON.stringify({ ...proofWith(), later: { added: true } }));
  const article = { ...text, id: 'x', trust: 'untrusted', excerpt: '…' };
  assert.ok((await verifyProof(proof, { text: article, trusted })).valid);
});

test('a text without metadata is one with none', async () => {
  const bare = { title: 'Bare', content: '.' };
  const before = { title: 'Before', content: '.' };
  assert.ok(!(await verifyProof(previousProof(), { text: bare, trusted })).valid);
  assert.ok((await verifyProof(previousProof(), { text: before, trusted })).valid);
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

test('unsigned: when all the rest is valid', async () => {
  const proof = { ...proofWith(), signature: null };
  await assertRefused('unsigned', proof, text, previousProof());
  await assertRefused('content-hash', proof, { ...text, title: 'Another' });
});

test('chain: the revision before is another, or its proof is malformed', async () => {
  const [proof, previous] = [proofWith(), previousProof()];
  const named = { revision_id: revisions[0], content_hash: null };
  await assertRefused('chain', { ...proof, previous: null }, text, previous);
  await assertRefused('chain', { ...proof, previous: named }, text, previous);
  await assertRefused('chain', proof, text, proof);
  await assertRefused('chain', proof, text, { ...previous, article_id: proof.author_id });
  await assertRefused('chain', proof, text, {});
  await assertRefused('chain', proofWith({ previous: { ...named, revision_id: revisions[1] } }));
});

test('key: not yet registered, revoked before, compromised then or earlier', async () => {
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
    assert.ok((await verifyProof(withKey(proof, changes))).consistent, JSON.stringify(changes));
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
