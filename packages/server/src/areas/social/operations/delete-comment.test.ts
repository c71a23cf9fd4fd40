// DELETE /v1/comments/{id}: who may, what goes, and what stays.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, storeAgent } from '#test/accounts';
import { comment, countOf, moderate, reply, setArticleStatus } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { heldBack } from '#test/held-back';
import { assertGone, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const remove = ({ token }: Pick<Human, 'token'>, id: string) =>
  server.ask('DELETE', `/v1/comments/${id}`, { token });

async function scene() {
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
  const { author, reader, id, made } = await scene();
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
  const { id } = await scene();
  const owner = await server.register();
  const made = await comment(server, await storeAgent(server, owner), id);
  assert.equal((await remove(owner, made.id)).status, 204);
});

test('204 whatever became of the article', async () => {
  for (const status of ['hidden', 'removed', 'unpublished', 'erased'] as const) {
    const { reader, id, made } = await scene();
    await setArticleStatus(server, id, status);
    assert.equal((await remove(reader, made.id)).status, 204, status);
  }
});

test('204 for one’s own that a moderator has hidden, which was not counted any more', async () => {
  const { reader, id, made } = await scene();
  await moderate(server, made.id, { status: 'hidden' });
  const before = await countOf(server, id);
  assert.equal((await remove(reader, made.id)).status, 204);
  assert.equal(await countOf(server, id), before);
  assert.deepEqual(await contentOf(made.id), { status: 'deleted', content: null });
});

test('401 unauthenticated without a token', async () => {
  const { made } = await scene();
  assertProblem(await server.ask('DELETE', `/v1/comments/${made.id}`), 'unauthenticated');
});

test('403 insufficient-scope without comments:write', async () => {
  const { reader, made } = await scene();
  const token = await server.tokenWith(reader, ['comments:read', 'articles:delete']);
  assertMissingScope(await remove({ token }, made.id), 'comments:write');
});

test('403 forbidden for others, for the author of the article, and for the suspended', async () => {
  const { author, reader, made } = await scene();
  assertProblem(await remove(author, made.id), 'forbidden');
  assertProblem(await remove(await server.register(), made.id), 'forbidden');
  const agent = await storeAgent(server, reader);
  assertProblem(await remove(agent, made.id), 'forbidden');
  await setPrincipalStatus(server, reader.id, 'suspended');
  assertProblem(await remove(reader, made.id), 'forbidden');
  assert.equal((await contentOf(made.id))?.status, 'visible');
});

test('404 not-found: no such comment, one deleted or removed already', async () => {
  const { reader, id, made } = await scene();
  assertProblem(await remove(reader, newId(5)), 'not-found');
  assertProblem(await remove(reader, 'nothing'), 'not-found');
  await remove(reader, made.id);
  assertProblem(await remove(reader, made.id), 'not-found');
  const other = await comment(server, reader, id);
  await moderate(server, other.id, { status: 'removed' });
  assertProblem(await remove(reader, other.id), 'not-found');
  assert.notEqual((await contentOf(other.id))?.content, null);
});

test('404 not-found for others: what was hidden, and what is on an article that they cannot see', async () => {
  const { author, reader, id, made } = await scene();
  const stranger = await server.register();
  await moderate(server, made.id, { status: 'hidden' });
  assertProblem(await remove(stranger, made.id), 'not-found');
  await moderate(server, made.id, { status: 'visible' });
  await setArticleStatus(server, id, 'hidden');
  assertProblem(await remove(stranger, made.id), 'not-found');
  assertProblem(await remove(author, made.id), 'forbidden');
  assert.equal((await remove(reader, made.id)).status, 204);
});

test('204 once, however many delete it at once, and the count falls by one', async () => {
  const { reader, id, made } = await scene();
  const place = sql`
    select id from comments where bucket = ${bucketOf(made.id)} and id = ${made.id} for update`;
  const answers = await heldBack(
    server,
    place,
    Array.from({ length: 6 }, () => () => remove(reader, made.id)),
  );
  assert.deepEqual(
    answers.map((one) => one.status).toSorted((one, other) => one - other),
    [204, 404, 404, 404, 404, 404],
  );
  assert.equal(await countOf(server, id), 0);
});

test('404 not-found: removed by a moderator while the deletion waited', async () => {
  const { reader, id, made } = await scene();
  const removing = sql`
    update comments
    set status = 'removed', removed_at = now()
    where bucket = ${bucketOf(made.id)} and id = ${made.id}`;
  const [answer] = await heldBack(server, removing, [() => remove(reader, made.id)]);
  assert.equal(answer?.status, 404);
  assert.deepEqual(await contentOf(made.id), { status: 'removed', content: 'A *comment*.' });
  assert.equal(await countOf(server, id), 1);
});
