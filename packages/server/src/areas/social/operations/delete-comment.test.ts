// DELETE /v1/comments/{id}: who may, what is deleted, and what stays.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, storeAgent } from '#test/accounts';
import { comment, countOf, moderate, reply, setArticleStatus } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { act, aModerator } from '#test/moderators';
import { assertGone, assertMissingScope } from '#test/problem-checks';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const remove = ({ token }: Pick<Human, 'token'>, id: string) =>
  server.ask('DELETE', `/v1/comments/${id}`, { token });

async function scenario() {
  const [author, reader] = [await server.register(), await server.register()];
  const id = (await server.published(author)).id as string;
  return { author, reader, id, made: await comment(server, reader, id) };
}

async function contentOf(id: string) {
  const row = await server.db.first(sql<{ status: string; content: string | null }>`
    select status, content from comments where bucket = ${bucketOf(id)} and id = ${id}`);
  return row;
}

test('204: the text goes for good, the place stays, and the count falls', async () => {
  const { author, reader, id, made } = await scenario();
  const below = await reply(server, author, made.id);
  const answer = await remove(reader, made.id);
  assert.equal(answer.status, 204);
  assert.deepEqual(await contentOf(made.id), { status: 'deleted', content: null });
  assertGone(await server.ask('GET', `/v1/comments/${made.id}`));
  const { items } = (await server.ask('GET', `/v1/articles/${id}/comments`)).body;
  assert.deepEqual(
    items.map((one: typeof made) => [one.id, one.status, one.content]),
    [
      [made.id, 'deleted', null],
      [below.id, 'visible', 'A *reply*.'],
    ],
  );
  assert.equal(await countOf(server, id), 1);
});

test('204 for the owner of the agent that wrote it', async () => {
  const { id } = await scenario();
  const owner = await server.register();
  const made = await comment(server, await storeAgent(server, owner), id);
  assert.equal((await remove(owner, made.id)).status, 204);
});

test('204 whatever happened to the article', async () => {
  for (const status of ['hidden', 'removed', 'unpublished', 'erased'] as const) {
    const { reader, id, made } = await scenario();
    await setArticleStatus(server, id, status);
    assert.equal((await remove(reader, made.id)).status, 204, status);
  }
});

const read = (id: string, human?: Human) =>
  server.ask('GET', `/v1/comments/${id}`, human && { token: human.token });

for (const [action, source, others, own] of [
  ['hide', 'proactive', 'not-found', 'gone'],
  ['remove', 'proactive', 'gone', 'gone'],
  ['remove', 'legal', 'unavailable-for-legal-reasons', 'unavailable-for-legal-reasons'],
] as const) {
  test(`204 for the caller’s own after ${action}, ${source}: readers are answered as before, and no restoration brings it back`, async () => {
    const { author, reader, id, made } = await scenario();
    const moderator = await aModerator(server);
    const target = { target_type: 'comment' as const, target_id: made.id as string, source };
    const { id: actionId } = await act(server, moderator, { ...target, action });
    const place = `/v1/articles/${id}/comments`;
    const seen = async () => {
      const [one, list] = [await read(made.id), await server.ask('GET', place)];
      const { detail, removed_at, reason_code } = one.body;
      return { detail, removed_at, reason_code, list: list.body, count: await countOf(server, id) };
    };
    const before = await seen();
    assertProblem(await read(made.id), others);
    assert.equal((await remove(reader, made.id)).status, 204);
    assert.deepEqual(await seen(), before);
    const { status, content } = (await contentOf(made.id)) ?? {};
    assert.deepEqual([status, content], [action === 'hide' ? 'hidden' : 'removed', null]);
    for (const human of [reader, moderator]) assertProblem(await read(made.id, human), own);
    assertProblem(await remove(reader, made.id), 'not-found');
    const list = await server.ask('GET', '/v1/comments', { token: reader.token });
    const { content: text, moderation } = list.body.items[0];
    assert.deepEqual([text, moderation.action_id], [null, actionId]);
    await act(server, moderator, { ...target, action: 'restore' });
    for (const human of [undefined, author, reader, moderator])
      assertGone(await read(made.id, human));
    assert.deepEqual(await contentOf(made.id), { status: 'deleted', content: null });
    assert.equal(await countOf(server, id), before.count);
  });
}

test('401 unauthenticated without a token', async () => {
  const { made } = await scenario();
  assertProblem(await server.ask('DELETE', `/v1/comments/${made.id}`), 'unauthenticated');
});

test('403 insufficient-scope without comments:write', async () => {
  const { reader, made } = await scenario();
  const token = await server.tokenWith(reader, ['comments:read', 'articles:delete']);
  assertMissingScope(await remove({ token }, made.id), 'comments:write');
});

test('403 forbidden for others, for the author of the article, and for the suspended', async () => {
  const { author, reader, made } = await scenario();
  assertProblem(await remove(author, made.id), 'forbidden');
  assertProblem(await remove(await server.register(), made.id), 'forbidden');
  const agent = await storeAgent(server, reader);
  assertProblem(await remove(agent, made.id), 'forbidden');
  await setPrincipalStatus(server, reader.id, 'suspended');
  assertProblem(await remove(reader, made.id), 'forbidden');
  assert.equal((await contentOf(made.id))?.status, 'visible');
});

test('404 not-found: no such comment, one deleted already, another’s that was removed', async () => {
  const { author, reader, id, made } = await scenario();
  assertProblem(await remove(reader, newId(5)), 'not-found');
  assertProblem(await remove(reader, 'nothing'), 'not-found');
  await remove(reader, made.id);
  assertProblem(await remove(reader, made.id), 'not-found');
  const other = await comment(server, reader, id);
  await moderate(server, other.id, { status: 'removed' });
  assertProblem(await remove(author, other.id), 'not-found');
  assert.notEqual((await contentOf(other.id))?.content, null);
});

test('404 not-found for others: what was hidden, and what is on an article that they cannot see', async () => {
  const { author, reader, id, made } = await scenario();
  const stranger = await server.register();
  const unknown = (await remove(stranger, newId(5))).body.detail;
  const assertUnknown = (answer: Response) => {
    assertProblem(answer, 'not-found');
    assert.equal(answer.body.detail, unknown);
  };
  await moderate(server, made.id, { status: 'hidden' });
  assertUnknown(await remove(stranger, made.id));
  await moderate(server, made.id, { status: 'visible' });
  await setArticleStatus(server, id, 'hidden');
  assertUnknown(await remove(stranger, made.id));
  assertProblem(await remove(author, made.id), 'forbidden');
  assert.equal((await remove(reader, made.id)).status, 204);
});

test('204 once, however many delete it at once, and the count falls by one', async () => {
  const { reader, id, made } = await scenario();
  const place = sql`
    select id from comments where bucket = ${bucketOf(made.id)} and id = ${made.id} for update`;
  const answers = await blockedByLock(
    server,
    place,
    Array.from({ length: 4 }, () => () => remove(reader, made.id)),
  );
  assert.deepEqual(
    answers.map((one) => one.status).toSorted((one, other) => one - other),
    [204, 404, 404, 404],
  );
  assert.equal(await countOf(server, id), 0);
});

test('204 for one that a moderator removed while the deletion waited: it is removed, and without its text', async () => {
  const { reader, id, made } = await scenario();
  const removing = sql`
    update comments
    set status = 'removed', removed_at = now()
    where bucket = ${bucketOf(made.id)} and id = ${made.id}`;
  const [answer] = await blockedByLock(server, removing, [() => remove(reader, made.id)]);
  assert.equal(answer?.status, 204);
  assert.deepEqual(await contentOf(made.id), { status: 'removed', content: null });
  assert.equal(await countOf(server, id), 1);
});
