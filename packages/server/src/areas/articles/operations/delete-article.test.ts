// DELETE /v1/articles/{id} over HTTP: a tombstone for those who could see the article, not-found for others.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally, setPrincipalStatus, storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const remove = (human: Pick<Human, 'token'>, id: string) =>
  server.ask('DELETE', `/v1/articles/${id}`, { token: human.token });
const read = (path: string, human?: Human) =>
  server.ask('GET', path, human === undefined ? {} : { token: human.token });

test('204 without a body; afterwards every read of it is 410, for everybody', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id, revision_id } = await server.published(human);
  const { status, body } = await remove(human, id);
  assert.equal(status, 204);
  assert.equal(body, '');
  for (const path of ['', '/revisions', `/revisions/${revision_id}`, '/processing']) {
    for (const reader of [undefined, human, other])
      assertGone(await read(`/v1/articles/${id}${path}`, reader));
  }
  const list = await read(`/v1/articles?author=${human.username}`);
  assert.equal(list.body.items.length, 0);
});

test('204 for a draft: gone for its author, unknown to everybody else', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id } = await server.draft(human);
  assert.equal((await remove(human, id)).status, 204);
  assertGone(await read(`/v1/articles/${id}`, human));
  assertProblem(await read(`/v1/articles/${id}`), 'not-found');
  assertProblem(await read(`/v1/articles/${id}`, other), 'not-found');
  const drafts = await read('/v1/articles?status=draft', human);
  assert.equal(drafts.body.items.length, 0);
});

test('204 for private articles: unknown to others before and after', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const { id } = await server.published(human, { visibility: 'private' });
  assertProblem(await remove(other, id), 'not-found');
  assert.equal((await remove(human, id)).status, 204);
  assertProblem(await read(`/v1/articles/${id}`), 'not-found');
  assertGone(await read(`/v1/articles/${id}`, human));
});

test('204 for the owner of the agent that wrote it', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  for (const { id } of [await server.draft(agent), await server.published(agent)]) {
    assert.equal((await remove(human, id)).status, 204);
    assertGone(await read(`/v1/articles/${id}`, agent));
  }
});

test('204 for one of eight at once, 410 gone for the rest', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  const answers = await Promise.all(Array.from({ length: 8 }, () => remove(human, id)));
  const lost = answers.filter(({ status }) => status !== 204);
  assert.equal(lost.length, 7);
  for (const answer of lost) assertGone(answer);
});

test('400 invalid-request: an unknown query parameter, dry_run too', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  assertProblem(await remove(human, `${id}?dry_run=true`), 'invalid-request');
  assert.equal((await read(`/v1/articles/${id}`, human)).status, 200);
});

test('401 unauthenticated: without a token', async () => {
  assertProblem(await server.ask('DELETE', `/v1/articles/${newId(1)}`), 'unauthenticated');
});

test('403 insufficient-scope: without articles:delete', async () => {
  const human = await server.register();
  const { id } = await server.draft(human);
  const token = await server.tokenWith(human, [
    'articles:read',
    'articles:write',
    'articles:publish',
  ]);
  assertMissingScope(await remove({ token }, id), 'articles:delete');
});

test('403 forbidden: another, an administrator by this way, the agent of the author, the suspended', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  assertProblem(await remove(await server.register(), id), 'forbidden');
  assertProblem(await remove(await storeAgent(server, human), id), 'forbidden');
  const other = await server.register();
  const moderator = await storeToken(server, other.id, [
    'articles:delete',
    'admin:moderate',
    'admin:manage',
  ]);
  assertProblem(await remove({ token: moderator }, id), 'forbidden');
  await setPrincipalStatus(server, human.id, 'suspended');
  assertProblem(await remove(human, id), 'forbidden');
  assert.equal((await read(`/v1/articles/${id}`)).status, 200);
});

test('404 not-found: another’s draft, private or removed draft, or nothing at all', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const removed = await server.draft(human);
  await remove(human, removed.id);
  const details = new Set<string>();
  for (const { id } of [
    await server.draft(human),
    await server.published(human, { visibility: 'private' }),
    removed,
    { id: newId(2) },
  ]) {
    const refused = await remove(other, id);
    assertProblem(refused, 'not-found');
    details.add(refused.body.detail);
  }
  assert.equal(details.size, 1);
  assertProblem(await remove(other, 'nonsense'), 'not-found');
});

test('410 gone: a second time, with the date of the first', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await remove(human, id);
  const again = await remove(human, id);
  assertGone(again);
  assert.equal((await read(`/v1/articles/${id}`)).body.removed_at, again.body.removed_at);
});

test('403 before 410: a stranger may not even try', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await remove(human, id);
  assertProblem(await remove(await server.register(), id), 'forbidden');
});

test('451 unavailable-for-legal-reasons: legal dominates', async () => {
  const human = await server.register();
  const { id } = await server.published(human);
  await removeLegally(server, id);
  assertLegallyRemoved(await remove(human, id));
});
