// PATCH /v1/articles/{id} over HTTP: the properties around the text, and who may change them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import {
  assertFault,
  assertGone,
  assertLegallyRemoved,
  assertMissingScope,
} from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

type Members = Readonly<Record<string, unknown>>;
const patch = (human: Pick<Human, 'token'>, id: string, body: Members, query = '') =>
  server.ask('PATCH', `/v1/articles/${id}${query}`, { token: human.token, body });
const read = (human: Human, id: string) =>
  server.ask('GET', `/v1/articles/${id}`, { token: human.token });
const remove = (human: Human, id: string) =>
  server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });

test('200 with the article as it is then', async () => {
  const human = await server.register();
  const { id, revision_id } = await server.draft(human);
  const members = {
    visibility: 'unlisted',
    authorship_disclosure: 'ai_assisted',
    canonical_url: 'https://example.org/x',
    language: 'de',
  };
  const before = (await read(human, id)).body;
  const { status, body } = await patch(human, id, members);
  assert.equal(status, 200);
  for (const [name, value] of Object.entries(members)) assert.equal(body[name], value, name);
  assert.equal(body.revision_id, revision_id);
  assert.ok(body.updated_at >= before.updated_at);
  assert.deepEqual((await read(human, id)).body, body);
});

test('200 changes only what was sent, and null clears', async () => {
  const human = await server.register();
  const { id } = await server.draft(human, {
    canonical_url: 'https://example.org/',
    language: 'fr',
    visibility: 'unlisted',
  });
  const { body } = await patch(human, id, { canonical_url: null, featured_media_id: null });
  assert.equal(body.canonical_url, null);
  assert.equal(body.featured_media_id, null);
  assert.equal(body.language, 'fr');
  assert.equal(body.visibility, 'unlisted');
});

test('200 for an empty body: nothing changed, not even the time', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const before = (await read(human, id)).body;
  assert.deepEqual((await patch(human, id, {})).body, before);
  assert.deepEqual(
    (await server.ask('PATCH', `/v1/articles/${id}`, { token: human.token })).body,
    before,
  );
  assert.deepEqual((await read(human, id)).body, before);
});

test('200 for values that the article has already: nothing changed, not even the time', async () => {
  const human = await server.register();
  const change = {
    visibility: 'unlisted',
    authorship_disclosure: 'ai_assisted',
    canonical_url: 'https://example.org/',
    language: 'en-GB',
  };
  for (const { id } of [await server.published(human), await server.draft(human)]) {
    await patch(human, id, change);
    const before = (await read(human, id)).body;
    const again = await patch(human, id, { ...change, language: 'EN-gb' });
    assert.deepEqual(again.body, before);
    assert.deepEqual((await read(human, id)).body, before);
  }
});

test('200 applies to readers at once', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const anonymous = () => server.ask('GET', `/v1/articles/${id}`);
  const etag = (await anonymous()).headers.get('etag');
  await patch(human, id, { language: 'it' });
  const shown = await anonymous();
  assert.equal(shown.body.language, 'it');
  assert.notEqual(shown.headers.get('etag'), etag);
  await patch(human, id, { visibility: 'private' });
  assertProblem(await anonymous(), 'not-found');
  await patch(human, id, { visibility: 'unlisted' });
  assert.equal((await anonymous()).status, 200);
});

test('200 with dry_run: what would be answered, and no effect', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const before = (await read(human, id)).body;
  const { status, body } = await patch(human, id, { language: 'da' }, '?dry_run=true');
  assert.equal(status, 200);
  assert.equal(body.dry_run, true);
  assert.equal(body.language, 'da');
  assert.deepEqual((await read(human, id)).body, before);
  assertFault(await patch(human, id, { language: 'd a' }, '?dry_run=true'), '/language');
  assertProblem(await patch(human, newId(1), {}, '?dry_run=true'), 'not-found');
});

test('200 without articles:publish: narrowing, and widening what was never published', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:read', 'articles:write']);
  const draft = await server.draft(human, { visibility: 'private' });
  assert.equal((await patch({ token }, draft.id, { visibility: 'public' })).status, 200);
  const { id } = await server.published(human);
  for (const visibility of ['public', 'unlisted', 'private']) {
    assert.equal((await patch({ token }, id, { visibility })).status, 200);
  }
});

test('403 insufficient-scope: widening what was published needs articles:publish', async () => {
  const human = await server.register();
  const token = await server.tokenWith(human, ['articles:read', 'articles:write']);
  for (const [from, to] of [
    ['private', 'unlisted'],
    ['private', 'public'],
    ['unlisted', 'public'],
  ] as const) {
    const { id } = await server.published(human, { visibility: from });
    assertMissingScope(await patch({ token }, id, { visibility: to }), 'articles:publish');
    assert.equal((await read(human, id)).body.visibility, from);
    assert.equal((await patch(human, id, { visibility: to })).status, 200);
  }
});

test('400 invalid-request: an unknown query parameter', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  assertProblem(await patch(human, id, {}, '?force=1'), 'invalid-request');
});

test('401 unauthenticated: without a token', async () => {
  assertProblem(
    await server.ask('PATCH', `/v1/articles/${newId(1)}`, { body: {} }),
    'unauthenticated',
  );
});

test('403 insufficient-scope: without articles:write', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const token = await server.tokenWith(human, ['articles:read', 'articles:publish']);
  assertMissingScope(await patch({ token }, id, { language: 'de' }), 'articles:write');
});

test('403 forbidden: somebody else, a moderator, and the owner of the agent that wrote it', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, human);
  const { id } = await server.published(agent);
  assertProblem(await patch(other, id, { language: 'de' }), 'forbidden');
  assertProblem(await patch(human, id, { language: 'de' }), 'forbidden');
  const moderator = await storeToken(server, other.id, ['articles:write', 'admin:moderate']);
  assertProblem(await patch({ token: moderator }, id, { language: 'de' }), 'forbidden');
});

test('403 forbidden: the suspended', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await patch(human, id, { language: 'de' }), 'forbidden');
});

test('404 not-found: another’s draft and private article look like none at all', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const hidden = [
    (await server.draft(human)).id,
    (await server.published(human, { visibility: 'private' })).id,
  ];
  const removed = await server.draft(human);
  await remove(human, removed.id);
  const none = await patch(other, newId(5), { language: 'de' });
  for (const id of [...hidden, removed.id]) {
    const refused = await patch(other, id, { language: 'de' });
    assertProblem(refused, 'not-found');
    assert.equal(refused.body.detail, none.body.detail);
  }
});

test('410 gone: a removed article; for others too, once it was published', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id } = await server.published(human);
  await remove(human, id);
  assertGone(await patch(human, id, { language: 'de' }));
  assertProblem(await patch(other, id, { language: 'de' }), 'forbidden');
  const draft = await server.draft(human);
  await remove(human, draft.id);
  assertGone(await patch(human, draft.id, {}));
});

test('451 unavailable-for-legal-reasons: removed by a legal action', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await removeLegally(server, id);
  assertLegallyRemoved(await patch(human, id, { language: 'de' }));
});

for (const member of [
  'content',
  'title',
  'metadata',
  'username',
  'status',
  'url',
  'id',
  'published_at',
  'author',
]) {
  test(`422 validation-failed: ${member} cannot be patched, and the answer says what can`, async () => {
    const human = await server.register();
    const { id } = await server.draft(human);
    const fault = assertFault(await patch(human, id, { [member]: 'x' }), `/${member}`, 'unknown');
    const ofRevisions = ['content', 'title', 'metadata'].includes(member);
    assert.match(
      fault.detail,
      ofRevisions ? /POST \/v1\/articles\/\{id\}\/revisions/ : /leave it out/,
    );
    assert.deepEqual(fault.allowed_values, [
      'visibility',
      'authorship_disclosure',
      'canonical_url',
      'language',
      'featured_media_id',
    ]);
  });
}

test('422 validation-failed: null where nothing can be cleared', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  for (const member of ['visibility', 'authorship_disclosure', 'language']) {
    assertFault(await patch(human, id, { [member]: null }), `/${member}`);
  }
});

test('422 validation-failed: a medium that is not there', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  assertFault(await patch(human, id, { featured_media_id: newId(1) }), '/featured_media_id');
  assertFault(await patch(human, id, { featured_media_id: 'x' }), '/featured_media_id');
});

test('the order of refusals: 401, 403, 400, 422, 404, 403, 410', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id } = await server.published(human);
  await remove(human, id);
  const bare = await server.tokenWith(human, []);
  assertProblem(
    await server.ask('PATCH', `/v1/articles/${id}?x=1`, { body: { x: 1 } }),
    'unauthenticated',
  );
  assertMissingScope(await patch({ token: bare }, 'nonsense', { x: 1 }, '?x=1'), 'articles:write');
  assertProblem(await patch(human, 'nonsense', { x: 1 }, '?x=1'), 'invalid-request');
  assertFault(await patch(human, 'nonsense', { x: 1 }), '/x');
  assertProblem(await patch(human, 'nonsense', {}), 'not-found');
  assertProblem(await patch(other, id, {}), 'forbidden');
  assertGone(await patch(human, id, {}));
});

test('200 for many at once: each change is there, none overwrites another', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const changes = [
    { language: 'nl' },
    { visibility: 'unlisted' },
    { authorship_disclosure: 'ai_assisted' },
    { canonical_url: 'https://example.org/n' },
  ];
  for (const { status } of await Promise.all(changes.map((change) => patch(human, id, change))))
    assert.equal(status, 200);
  const { body } = await read(human, id);
  for (const [name, value] of changes.flatMap((change) => Object.entries(change)))
    assert.equal(body[name], value, name);
});
