// POST /v1/articles/{id}/publish over HTTP, signed, during concurrent changes of the article or the key.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { verifyProof } from '@colophon/sdk';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { blockedByLock } from '#test/blocked-by-lock';
import { effort } from '#test/effort';
import { startServer } from '#test/harness';
import type { Response } from '#test/harness';
import { freshKeyPair } from '#test/key-pairs';
import { assertFault } from '#test/problem-checks';
import { register } from '#test/registered-keys';
import {
  anotherKey,
  aSigner,
  publish,
  revise,
  revoke,
  signatureOf,
  signedArticle,
} from '#test/signed-articles';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

async function proofOf(made: { id: string; revision_id: string }): Promise<Response['body']> {
  const path = `/v1/articles/${made.id}/revisions/${made.revision_id}/proof`;
  return (await server.ask('GET', path)).body;
}

/** Returns whether the revision is signed in the database now. */
async function isSigned({ id, revision_id }: { id: string; revision_id: string }) {
  const row = await server.db.first(sql<{ signed: boolean }>`
    select signature is not null as signed
    from revisions
    where bucket = ${bucketOf(id)} and article_id = ${id} and id = ${revision_id}`);
  return row?.signed === true;
}

test('200 for both of two publications with different signatures: one of them stays, whole', async () => {
  const signer = await aSigner(server);
  const other = await anotherKey(server, signer);
  for (let round = 0; round < effort(8, 20); round += 1) {
    const draft = await server.draft(signer);
    const bodies = [signer, other].map((key) => signatureOf(key, draft.signing_input));
    const answers = await Promise.all(
      bodies.map((body) => publish(server, signer, draft.id, { body })),
    );
    for (const { status, body } of answers) assert.deepEqual([status, body.signed], [200, true]);
    const proof = await proofOf(draft);
    assert.ok((await verifyProof(proof)).consistent);
    const kept = { signature: proof.signature.signature, signature_key_id: proof.signature.key.id };
    assert.ok(bodies.some(({ signature }) => signature === kept.signature));
    assert.deepEqual(
      kept,
      bodies.find(({ signature }) => signature === kept.signature),
    );
  }
});

test('200 for one signature sent by ten at once: verified, kept once, one time', async () => {
  const signer = await aSigner(server);
  const draft = await server.draft(signer);
  const body = signatureOf(signer, draft.signing_input);
  const first = await publish(server, signer, draft.id, { body });
  const { signed_at } = (await proofOf(draft)).signature;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => publish(server, signer, draft.id, { body })),
  );
  // The pipeline goes on meanwhile.
  const lasting = ({ body }: Response) => ({ ...body, processing: null });
  for (const answer of answers) assert.deepEqual(lasting(answer), lasting(first));
  assert.equal((await proofOf(draft)).signature.signed_at, signed_at);
});

test('200 or 422 beside a revocation: nothing is signed after its answer, and what is signed verifies', async () => {
  const signer = await aSigner(server);
  const outcomes = { taken: 0, refused: 0 };
  const roundTrips = async (count: number) => {
    for (let n = 0; n < count; n += 1)
      await server.ask('GET', `/v1/agents/${signer.id}/keys?limit=1`);
  };
  // By so many round trips the publication starts first: fewer after it was taken, more after it was refused.
  let lead = 0;
  for (let round = 0; round < effort(50, 100); round += 1) {
    const key = await anotherKey(server, signer);
    const draft = await server.draft(signer);
    const body = signatureOf(key, draft.signing_input);
    const revoked = async () => {
      await roundTrips(lead);
      await revoke(server, signer, key.keyId);
      return isSigned(draft);
    };
    const published = async () => {
      await roundTrips(-lead);
      return publish(server, signer, draft.id, { body });
    };
    const [answer, signedByThen] = await Promise.all([published(), revoked()]);
    const signed = await isSigned(draft);
    assert.equal(signed, signedByThen, 'nothing is signed after the answer of the revocation');
    assert.equal(answer.status === 200, signed, JSON.stringify(answer.body));
    if (signed) {
      outcomes.taken += 1;
      lead -= 1;
      assert.ok((await verifyProof(await proofOf(draft))).consistent);
    } else {
      outcomes.refused += 1;
      lead += 1;
      assertFault(answer, '/signature_key_id', 'revoked');
    }
  }
  assert.ok(outcomes.taken > 0 && outcomes.refused > 0, JSON.stringify(outcomes));
});

test('422 while a publication waits for the article and its key is revoked meanwhile', async () => {
  const signer = await aSigner(server);
  const draft = await server.draft(signer);
  const body = signatureOf(signer, draft.signing_input);
  const [answer] = await blockedByLock(
    server,
    sql`
      select id from articles
      where bucket = ${bucketOf(draft.id)} and id = ${draft.id}
      for update`,
    [() => publish(server, signer, draft.id, { body })],
    () => revoke(server, signer, signer.keyId),
  );
  assertFault(answer ?? assert.fail(), '/signature_key_id', 'revoked');
  assert.equal(await isSigned(draft), false);
});

test('200 or 422 beside a new revision, when none is named: the signature is over what is published', async () => {
  const signer = await aSigner(server);
  for (let round = 0; round < effort(8, 20); round += 1) {
    const draft = await server.draft(signer);
    const body = signatureOf(signer, draft.signing_input);
    const [answer] = await Promise.all([
      publish(server, signer, draft.id, { body }),
      revise(server, signer, draft, 'newer'),
    ]);
    if (answer.status === 200) {
      assert.equal(answer.body.revision_id, draft.revision_id);
      assert.ok((await verifyProof(await proofOf(draft))).consistent);
    } else assertFault(answer, '/signature', 'signature');
  }
});

test('204 and a revocation is never dated before what its key signed, whatever the clocks say', async () => {
  const signer = await aSigner(server);
  const made = await signedArticle(server, signer);
  const ahead = new Date(Date.now() + 60_000).toISOString();
  await server.db.transaction((tx) =>
    tx.run(sql`
      update revisions
      set signed_at = ${ahead}
      where bucket = ${bucketOf(made.id)} and article_id = ${made.id}`),
  );
  await revoke(server, signer, signer.keyId);
  const proof = await proofOf(made);
  assert.equal(proof.signature.key.revoked_at, ahead);
  assert.ok((await verifyProof(proof)).consistent);
});

test('200 by a key that a faster clock registered: signed no earlier than it was there', async () => {
  const signer = await aSigner(server);
  const pair = freshKeyPair();
  const keyId = (await register(server, signer, pair)).body.id as string;
  const ahead = new Date(Date.now() + 60_000).toISOString();
  await server.db.transaction((tx) =>
    tx.run(sql`
      update signing_keys set created_at = ${ahead}
      where bucket = ${bucketOf(keyId)} and id = ${keyId}`),
  );
  const made = await signedArticle(server, { ...signer, pair, keyId });
  const proof = await proofOf(made);
  assert.equal(proof.signature.signed_at, ahead);
  assert.ok((await verifyProof(proof)).consistent);
});
