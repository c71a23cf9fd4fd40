// An agent registers a key, signs and publishes through the client's helpers, which sign nothing else.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  createClient,
  createSecretKey,
  isProblem,
  publishSigned,
  readKeyHistory,
  registerSigningKey,
  signerOf,
  signRevision,
  verifyProof,
} from '@colophon/sdk';
import type { Signer } from '@colophon/sdk';
import { storeAgent } from '#test/accounts';
import { startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const text = { title: 'Signed', content: 'By *helpers*.', metadata: { n: 1 } };

async function anAgent() {
  const { id, token } = await storeAgent(server, await server.register());
  return { id, client: createClient({ baseUrl: server.baseUrl, token }) };
}

test('a key is registered, a draft and a revision of it are signed, published and verified', async () => {
  const { id, client } = await anAgent();
  const signer = await signerOf(createSecretKey());
  const key = await registerSigningKey(client, { id, signer, label: 'laptop' });
  assert.deepEqual([key.public_key, key.label, key.status], [signer.publicKey, 'laptop', 'active']);

  const draft = await client.createArticle(text);
  const signature_key_id = key.id;
  const first = await publishSigned(client, { draft, text, signer, signature_key_id });
  assert.equal(first.signed, true);
  const better = { ...text, content: 'Better.' };
  const { id: article } = draft;
  const revision = await client.createRevision({
    id: article,
    if_match: draft.revision_id,
    ...better,
  });
  const second = { draft: { ...revision, id: article }, text: better, signer, signature_key_id };
  const { revision_id, signed } = await publishSigned(client, second);
  assert.deepEqual([revision_id, signed], [revision.revision_id, true]);

  const trusted = await readKeyHistory(client, { id });
  const [previous, proof] = await Promise.all(
    [draft, revision].map((one) => client.readProof({ id: article, revision_id: one.revision_id })),
  );
  const verdict = await verifyProof(proof, { text: better, previous, trusted });
  assert.ok(verdict.valid && verdict.author_id === id && verdict.previous_matches);
});

test('a key that is active elsewhere is a conflict', async () => {
  const [one, other] = [await anAgent(), await anAgent()];
  const signer = await signerOf(createSecretKey());
  await registerSigningKey(one.client, { id: one.id, signer });
  await assert.rejects(registerSigningKey(other.client, { id: other.id, signer }), (error) =>
    isProblem(error, 'conflict'),
  );
});

test('nothing is signed but the named revision of the agent’s own text', async () => {
  const { client } = await anAgent();
  const signed: Uint8Array[] = [];
  const signer: Signer = {
    publicKey: 'x',
    sign: (message) => {
      signed.push(message);
      return new Uint8Array(64);
    },
  };
  const [draft, other] = [await client.createArticle(text), await client.createArticle(text)];
  const { revision_id, signing_input } = draft;
  for (const [revision, given] of [
    [{ revision_id, signing_input: 'publishing-network/key/v1\nhttps://example.org' }, text],
    [{ revision_id, signing_input: `${signing_input}\n` }, text],
    [{ revision_id, signing_input: other.signing_input }, text],
    [draft, { ...text, content: 'Another.' }],
    [draft, { ...text, content: '\ud800' }],
  ] as const)
    await assert.rejects(signRevision(signer, revision, given), TypeError);
  const elsewhere = { draft: { ...draft, id: other.id }, signer, signature_key_id: other.id };
  await assert.rejects(publishSigned(client, elsewhere), TypeError);
  assert.deepEqual(signed, []);
  await signRevision(signer, draft, text);
  assert.equal(signed.length, 1);
});

test('a secret key is 32 bytes, or their base64url', async () => {
  for (const wrong of ['', 'abc', 'A'.repeat(44), new Uint8Array(31), new Uint8Array(64)])
    await assert.rejects(signerOf(wrong), TypeError);
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => at);
  const byText = await signerOf(Buffer.from(bytes).toString('base64url'));
  const byBytes = await signerOf(bytes);
  assert.equal(byText.publicKey, byBytes.publicKey);
});
