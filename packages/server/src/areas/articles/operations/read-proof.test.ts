// GET /v1/articles/{id}/revisions/{revision_id}/proof over HTTP: its contents, and who may read it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';
import { until } from '#test/throw-away-database';
import { provenLog } from '#test/transparency-log';
import { aSigner, publish, revise, revoke, signedArticle } from '#test/signed-articles';
import { expectedHash, expectedSigningInput } from '#test/signed-text';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (id: string, revision: string, human?: Pick<Human, 'token'>): Promise<Response> =>
  server.ask(
    'GET',
    `/v1/articles/${id}/revisions/${revision}/proof`,
    human === undefined ? {} : { token: human.token },
  );

test('200 for anybody: all of a signed revision that a verifier needs', async () => {
  const signer = await aSigner(server);
  const text = { title: 'Signed', content: 'Line\r\n', metadata: { n: 1 } };
  const made = await signedArticle(server, signer, text);
  await provenLog(server, made.id, made.revision_id);
  const { status, body: whole } = await read(made.id, made.revision_id);
  assert.equal(status, 200);
  const { log, ...body } = whole;
  assert.equal(log.origin, `${new URL(server.baseUrl).host}/log`);
  const { signed_at, key } = body.signature;
  assert.ok(Math.abs(Date.parse(signed_at) - Date.now()) < 30_000);
  assert.ok(key.created_at <= signed_at);
  assert.deepEqual(body, {
    article_id: made.id,
    revision_id: made.revision_id,
    author_id: signer.id,
    base_url: server.baseUrl,
    created_at: made.created_at,
    published_at: made.published_at,
    content_hash: expectedHash(text),
    signing_input: expectedSigningInput(server.baseUrl, signer.id, made),
    previous: null,
    signature: {
      signature: made.signature,
      signed_at,
      key: {
        id: signer.keyId,
        agent_id: signer.id,
        public_key: signer.pair.publicKey.toString('base64url'),
        status: 'active',
        created_at: key.created_at,
        revoked_at: null,
        compromised_at: null,
      },
    },
  });
});

test('200 unsigned: signature is null', async () => {
  const made = await server.published(await server.register());
  assert.equal((await read(made.id, made.revision_id)).body.signature, null);
});

test('200 with the times between which the key was active', async () => {
  const signer = await aSigner(server);
  const made = await signedArticle(server, signer);
  const compromised = '2026-01-01T00:00:00.000Z';
  await revoke(server, signer, signer.keyId, compromised);
  const { key } = (await read(made.id, made.revision_id)).body.signature;
  const keys = await server.ask('GET', `/v1/agents/${signer.id}/keys`);
  assert.equal(key.status, 'revoked');
  assert.equal(key.revoked_at, keys.body.items[0].revoked_at);
  assert.equal(key.compromised_at, compromised);
});

test('200 with the revision before; the hash of an unpublished one only for callers who may read it', async () => {
  const signer = await aSigner(server);
  const first = await server.draft(signer);
  const second = await revise(server, signer, first, 'second');
  await publish(server, signer, first.id, { body: {} });
  const moderator = {
    token: await storeToken(server, (await server.register()).id, ['admin:moderate']),
  };
  const hash = first.content_hash as string;
  const blind = { token: await storeToken(server, signer.id, ['articles:write']) };
  for (const [reader, content_hash] of [
    [undefined, null],
    [await server.register(), null],
    [blind, null],
    [signer, hash],
    [signer.owner, hash],
    [moderator, hash],
  ] as const) {
    const { previous } = (await read(second.id, second.revision_id, reader)).body;
    assert.deepEqual(previous, { revision_id: first.revision_id, content_hash });
  }
  await publish(server, signer, first.id, { body: { revision_id: first.revision_id } });
  const { previous } = (await read(second.id, second.revision_id)).body;
  assert.equal(previous.content_hash, hash);
});

test('200 for author, owner and moderator: of a revision that was never published', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const draft = await server.draft(agent);
  const token = await storeToken(server, (await server.register()).id, ['admin:moderate']);
  for (const reader of [agent, human, { token }]) {
    const { status, body } = await read(draft.id, draft.revision_id, reader);
    assert.deepEqual(
      [status, body.published_at, body.signature, body.log],
      [200, null, null, null],
    );
  }
});

test('200 anonymous and public: kept by anybody, revalidated; 304 until the key is revoked', async () => {
  const signer = await aSigner(server);
  const { id, revision_id } = await signedArticle(server, signer);
  await provenLog(server, id, revision_id);
  const path = `/v1/articles/${id}/revisions/${revision_id}/proof`;
  let first = await read(id, revision_id);
  const asked = () => ({ headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  // The proof is another one when the log grows between two reads, by what was done before.
  await until('two reads meet the same log', async () => {
    first = await read(id, revision_id);
    return (await server.ask('GET', path, asked())).status === 304;
  });
  const etag = first.headers.get('etag') ?? '';
  assert.ok(etag.startsWith(`"${revision_id}.`), etag);
  assert.equal(
    first.headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  await revoke(server, signer, signer.keyId);
  assert.equal((await server.ask('GET', path, asked())).status, 200);
  const own = await read(id, revision_id, signer);
  assert.equal(own.headers.get('cache-control'), 'private, no-store');
});

test('400 invalid-request: an unknown query parameter', async () => {
  const { id, revision_id } = await server.published(await server.register());
  const path = `/v1/articles/${id}/revisions/${revision_id}/proof?view=latest`;
  assertProblem(await server.ask('GET', path), 'invalid-request');
});

test('401 unauthenticated: a bad token', async () => {
  const { id, revision_id } = await server.published(await server.register());
  assertProblem(await read(id, revision_id, { token: 'nonsense' }), 'unauthenticated');
});

test('403 insufficient-scope: the caller’s own unpublished revision needs articles:read', async () => {
  const human = await server.register();
  const draft = await server.draft(human);
  const token = await server.tokenWith(human, ['articles:write']);
  assertMissingScope(await read(draft.id, draft.revision_id, { token }), 'articles:read');
});

test('404 not-found: what the caller may not see, another article’s revision, nothing at all', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const made = await server.published(human);
  const newer = await revise(server, human, made, 'not yet');
  const secret = await server.published(human, { visibility: 'private' });
  const draft = await server.draft(human);
  for (const [id, revision] of [
    [made.id, newer.revision_id],
    [secret.id, secret.revision_id],
    [draft.id, draft.revision_id],
    [made.id, secret.revision_id],
    [made.id, newId(1)],
    [newId(1), made.revision_id],
    [made.id, 'nonsense'],
  ] as const) {
    for (const reader of [undefined, other])
      assertProblem(await read(id, revision, reader), 'not-found');
  }
});

test('410 gone and 451: of what was removed', async () => {
  const signer = await aSigner(server);
  const { id, revision_id } = await signedArticle(server, signer);
  await server.ask('DELETE', `/v1/articles/${id}`, { token: signer.token });
  for (const reader of [undefined, signer]) assertGone(await read(id, revision_id, reader));
  await removeLegally(server, id);
  for (const reader of [undefined, signer])
    assertLegallyRemoved(await read(id, revision_id, reader));
});
