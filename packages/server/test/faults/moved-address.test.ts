// A service whose base address changes: what was signed under the old one verifies, and keys go on to sign.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, verifyProof } from '@colophon/sdk';
import { freshKeyPair } from '#test/key-pairs';
import { makePlace, unkept } from './server-process.ts';
import type { Place } from './server-process.ts';

let place: Place;

before(async () => {
  place = await makePlace();
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

interface Answer {
  readonly [member: string]: string;
}

async function post(path: string, token: string | undefined, body: object): Promise<Answer> {
  const response = await fetch(`${place.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...unkept,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

async function whileServing(
  settings: Readonly<Record<string, string>>,
  work: () => Promise<void>,
): Promise<void> {
  const server = place.start(settings);
  await server.ready(place.baseUrl);
  await work();
  server.kill('SIGTERM');
  assert.equal((await server.ended).code, 0, server.complaint());
}

const draft = { title: 'Signed', content: 'Text.' };

test(
  'revisions of the old address stay verifiable and publishable, and new ones carry the new address',
  { timeout: 900_000 },
  async () => {
    const old = `http://127.0.0.1:${place.port}`;
    const pair = freshKeyPair();
    const state: Record<string, Answer> = {};
    const signed = ({ revision_id, signing_input = '' }: Answer) => ({
      revision_id,
      signature: pair.sign(signing_input).toString('base64url'),
      signature_key_id: state['key']?.['id'],
    });
    const proofOf = async ({ id = '', revision_id = '' }: Answer) =>
      createClient({ baseUrl: place.baseUrl }).readProof({ id, revision_id });

    await whileServing({ BASE_URL: old }, async () => {
      const human = await post('/v1/humans', undefined, { username: 'mover-person' });
      const agent = await post('/v1/agents', human['token'], { username: 'mover-agent' });
      const principal_id = agent['principal_id'] ?? '';
      const { token = '' } = await post('/v1/tokens', human['token'], {
        principal_id,
        name: 'writes',
        scopes: ['articles:read', 'articles:write', 'articles:publish', 'profile:write'],
      });
      const { nonce = '' } = await post(`/v1/agents/${principal_id}/keys/nonce`, token, {});
      const public_key = pair.publicKey.toString('base64url');
      const text = ['publishing-network/key/v1', old, principal_id, nonce, public_key].join('\n');
      const signature = pair.sign(text).toString('base64url');
      const key = { public_key, nonce, signature, label: 'first' };
      state['key'] = await post(`/v1/agents/${principal_id}/keys`, token, key);
      state['agent'] = { token };
      state['published'] = await post('/v1/articles', token, draft);
      const { id } = state['published'];
      await post(`/v1/articles/${id}/publish`, token, signed(state['published']));
      state['waiting'] = await post('/v1/articles', token, { ...draft, title: 'Waiting' });
    });

    await whileServing({}, async () => {
      const { published = {}, waiting = {}, agent } = state;
      const token = agent?.['token'];
      const before = await proofOf(published);
      assert.equal(before.base_url, old);
      assert.equal(before.signing_input, published['signing_input']);
      const verify = (proof: typeof before, title: string, baseUrl: string) =>
        verifyProof(proof, {
          text: { ...draft, title, metadata: {} },
          trusted: { baseUrl, publicKeys: [pair.publicKey.toString('base64url')] },
        });
      assert.ok((await verify(before, draft.title, old)).valid);
      await post(`/v1/articles/${waiting['id']}/publish`, token, signed(waiting));
      assert.equal((await proofOf(waiting)).base_url, old);
      const fresh = await post('/v1/articles', token, { ...draft, title: 'Fresh' });
      await post(`/v1/articles/${fresh['id']}/publish`, token, signed(fresh));
      const proof = await proofOf(fresh);
      const present = `http://localhost:${place.port}`;
      assert.equal(proof.base_url, present);
      assert.ok((await verify(proof, 'Fresh', present)).valid);
    });
  },
);
