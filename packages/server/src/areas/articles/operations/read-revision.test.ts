// GET /v1/articles/{id}/revisions/{revision_id} over HTTP: one revision, for those who may see it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';
import { expectedHash } from '#test/signed-text';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (id: string, revision: string, human?: Pick<Human, 'token'>): Promise<Response> =>
  server.ask(
    'GET',
    `/v1/articles/${id}/revisions/${revision}`,
    human === undefined ? {} : { token: human.token },
  );

async function revise(
  human: Human,
  made: { id: string; revision_id: string },
  content: string,
): Promise<string> {
  const asked = {
    token: human.token,
    key: true as const,
    body: { content, expected_revision_id: made.revision_id },
  };
  return (await server.ask('POST', `/v1/articles/${made.id}/revisions`, asked)).body.revision_id;
}

test('200 for anybody: a published revision stays readable after newer ones', async () => {
  const human = await server.register();
  const text = { title: 'First', content: 'as\r\nit was', metadata: { n: 1 } };
  const made = await server.published(human, text);
  await revise(human, made, 'newer');
  await server.ask('POST', `/v1/articles/${made.id}/publish`, {
    token: human.token,
    key: true,
    body: {},
  });
  const { status, body } = await read(made.id, made.revision_id);
  assert.equal(status, 200);
  assert.deepEqual({ title: body.title, content: body.content, metadata: body.metadata }, text);
  assert.equal(body.content_hash, expectedHash(text));
  assert.equal(body.signing_input, made.signing_input);
  assert.equal(body.article_id, made.id);
  assert.equal(body.previous_revision_id, null);
  assert.equal(body.content_type, 'text/markdown');
  assert.equal(body.trust, 'untrusted');
});

test('200 for author, owner and moderator: a revision that was never published', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const made = await server.published(agent);
  const newer = await revise(agent, made, 'not yet');
  const token = await storeToken(server, (await server.register()).id, ['admin:moderate']);
  for (const reader of [agent, human, { token }]) {
    const { status, body } = await read(made.id, newer, reader);
    assert.equal(status, 200);
    assert.equal(body.content, 'not yet');
    assert.equal(body.published_at, null);
    assert.equal(body.previous_revision_id, made.revision_id);
  }
});

test('200 anonymous and public: its tag is the revision; 304 for it', async () => {
  const { id, revision_id } = await server.published(await server.register());
  const { headers } = await read(id, revision_id);
  assert.equal(headers.get('etag'), `"${revision_id}"`);
  assert.equal(
    headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const asked = { headers: { 'if-none-match': `"${revision_id}"` } };
  assert.equal(
    (await server.ask('GET', `/v1/articles/${id}/revisions/${revision_id}`, asked)).status,
    304,
  );
});

test('200 with a token or unlisted: stored by no cache', async () => {
  const human = await server.register();
  const open = await server.published(human);
  const unlisted = await server.published(human, { visibility: 'unlisted' });
  for (const { headers } of [
    await read(open.id, open.revision_id, human),
    await read(unlisted.id, unlisted.revision_id),
  ]) {
    assert.equal(headers.get('cache-control'), 'private, no-store');
  }
});

test('400 invalid-request: an unknown query parameter', async () => {
  assertProblem(await read(newId(1), `${newId(1)}?raw=1`), 'invalid-request');
});

test('401 unauthenticated: a bad token', async () => {
  assertProblem(await read(newId(1), newId(1), { token: 'bad' }), 'unauthenticated');
});

test('403 insufficient-scope: the caller’s own unpublished revision needs articles:read', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:write']);
  const made = await server.published(human);
  const newer = await revise(human, made, 'not yet');
  assertMissingScope(await read(made.id, newer, { token }), 'articles:read');
  assert.equal((await read(made.id, made.revision_id, { token })).status, 200);
  const draft = await server.draft(human);
  assertMissingScope(await read(draft.id, draft.revision_id, { token }), 'articles:read');
});

test('404 not-found: an unpublished revision looks like none to readers', async () => {
  const human = await server.register();
  const made = await server.published(human);
  const newer = await revise(human, made, 'not yet');
  const none = await read(made.id, newId(1));
  assertProblem(none, 'not-found');
  for (const reader of [undefined, await server.register()]) {
    const refused = await read(made.id, newer, reader);
    assertProblem(refused, 'not-found');
    assert.equal(refused.body.detail, none.body.detail);
  }
});

test('404 not-found: of another’s draft or private article, of another article, of nothing', async () => {
  const human = await server.register();
  const hidden = [
    await server.draft(human),
    await server.published(human, { visibility: 'private' }),
  ];
  for (const { id, revision_id } of hidden) {
    for (const revision of [revision_id, newId(1)])
      assertProblem(await read(id, revision), 'not-found');
  }
  const [one, other] = [await server.published(human), await server.published(human)];
  assertProblem(await read(one.id, other.revision_id), 'not-found');
  assertProblem(await read(newId(1), one.revision_id), 'not-found');
  for (const [id, revision] of [
    ['x', one.revision_id],
    [one.id, 'x'],
    [one.id, one.revision_id.toLowerCase()],
  ] as const) {
    assertProblem(await read(id, revision), 'not-found');
  }
});

test('410 gone and 451: of what was removed, whatever the revision', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.published(human);
  await server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
  for (const reader of [undefined, human]) {
    for (const revision of [revision_id, newId(1)]) assertGone(await read(id, revision, reader));
  }
  await removeLegally(server, id);
  assertLegallyRemoved(await read(id, revision_id));
});
