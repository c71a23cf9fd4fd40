// Signatures of an origin: claimed only if they verify over the text of the archive.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import { freshKeyPair } from '../../../server/test/key-pairs.ts';
import { evidenceOf } from '../../src/import/archive/evidence.ts';
import { readArticleFile } from '../../src/import/archive/records.ts';

const id = (end: string) => `01J8ZQ4Y7D3M5N6P8R9S0T1V${end}`;
const [article_id, revision_id, author_id, key_id] = [id('AA'), id('BB'), id('CC'), id('DD')];
const created_at = '2026-01-02T03:04:05.006Z';
const text = { title: 'On proofs', content: 'Some *Markdown*.', metadata: { n: 1 } };
const digest = createHash('sha256').update(canonicalize(text) ?? '');
const content_hash = `sha256:${digest.digest('hex')}`;
const signing_input = [
  'publishing-network/revision/v1',
  'https://a.example',
  article_id,
  revision_id,
  author_id,
  created_at,
  content_hash,
].join('\n');
const pair = freshKeyPair();
const public_key = pair.publicKey.toString('base64url');
const signature = pair.sign(signing_input).toString('base64url');
const forged = freshKeyPair().sign(signing_input).toString('base64url');
const signed = { key_id, signature, public_key, key_status: 'active' };

const revision = {
  revision_id,
  ...text,
  content_hash,
  signing_input,
  signature: signed,
  created_at,
  published_at: created_at,
};

const proof = {
  article_id,
  revision_id,
  author_id,
  base_url: 'https://a.example',
  created_at,
  published_at: created_at,
  content_hash,
  signing_input,
  previous: null,
  signature: {
    signature,
    signed_at: created_at,
    key: {
      id: key_id,
      agent_id: author_id,
      public_key,
      status: 'active',
      created_at,
      revoked_at: null,
      compromised_at: null,
    },
  },
};

const article = {
  id: article_id,
  url: 'https://a.example/x',
  status: 'published',
  visibility: 'public',
  title: text.title,
  language: 'en',
  authorship_disclosure: 'ai_generated',
  revision_id,
  created_at,
  updated_at: created_at,
};

function evidence(members: object, given: unknown) {
  const raw = { article, revisions: [{ ...revision, ...members }] };
  const file = readArticleFile(raw, 'x.json');
  const [first] = file.revisions;
  assert.ok(first);
  return evidenceOf(file, first, given);
}

test('a signature that verifies is evidence', async () => {
  assert.deepEqual(await evidence({}, proof), {
    members: { signing_input, signature, public_key, key_id },
  });
  assert.deepEqual(await evidence({ signature: null }, undefined), { members: undefined });
});

test('a text that is not the one of its hash is not imported', async () => {
  for (const members of [{ content: 'Other.' }, { title: 'Other' }, { metadata: {} }])
    assert.match(
      JSON.stringify(await evidence(members, proof)),
      /"changed":"The text has the hash/,
    );
  const hash = { content_hash: `sha256:${'0'.repeat(64)}` };
  assert.match(JSON.stringify(await evidence(hash, proof)), /"changed"/);
});

test('a signature that does not verify, or has no proof, is left out and reported', async () => {
  const otherSignature = { ...proof, signature: { ...proof.signature, signature: forged } };
  for (const [members, given] of [
    [{}, undefined],
    [{}, { ...proof, revision_id: id('EE') }],
    [{}, otherSignature],
    [{ signature: { ...signed, signature: forged } }, proof],
    [{ signature: { ...signed, signature: forged } }, otherSignature],
  ] as const) {
    const found = await evidence(members, given);
    assert.ok('members' in found && found.members === undefined);
    assert.match(found.fault ?? '', /contains no proof of it|not a signature of this revision/);
  }
});
