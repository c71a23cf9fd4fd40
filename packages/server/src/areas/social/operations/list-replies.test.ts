// GET /v1/comments/{id}/replies: direct replies only, oldest first.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { removeLegally } from '#test/accounts';
import { comment, moderate, reply, setArticleStatus } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (id: string, query = '', token?: string) =>
  server.ask('GET', `/v1/comments/${id}/replies${query}`, token === undefined ? {} : { token });

async function scenario() {
  const [author, reader] = [await server.register(), await server.register()];
  const id = (await server.published(author)).id as string;
  return { author, reader, id, root: await comment(server, reader, id) };
}

test('200 with what answers the comment itself, in pages', async () => {
  const { author, reader, root } = await scenario();
  const first = await reply(server, author, root.id, { stance: 'supports' });
  const below = await reply(server, reader, first.id);
  const second = await reply(server, reader, root.id);
  assert.deepEqual((await list(root.id)).body, { items: [first, second], next_cursor: null });
  assert.deepEqual((await list(first.id)).body.items, [below]);
  assert.deepEqual((await list(below.id)).body.items, []);
  const page = await list(root.id, '?limit=1');
  assert.deepEqual(page.body, { items: [first], next_cursor: first.id });
  const last = await list(root.id, `?limit=1&cursor=${first.id as string}`);
  assert.deepEqual(last.body, { items: [second], next_cursor: null });
});

test('200 below what was deleted or removed: the answers stay', async () => {
  const { author, reader, id, root } = await scenario();
  const answer = await reply(server, author, root.id);
  await server.ask('DELETE', `/v1/comments/${root.id}`, { token: reader.token });
  assert.deepEqual((await list(root.id)).body.items, [answer]);
  const other = await comment(server, reader, id);
  const next = await reply(server, author, other.id);
  await moderate(server, other.id, { status: 'removed' });
  assert.deepEqual((await list(other.id)).body.items, [next]);
});

test('400 invalid-request: a cursor that is not an id', async () => {
  const { root } = await scenario();
  assertProblem(await list(root.id, '?cursor=x'), 'invalid-request');
});

test('403 insufficient-scope on a private article for its author, without articles:read', async () => {
  const { author } = await scenario();
  const secret = await server.published(author, { visibility: 'private' });
  const root = await comment(server, author, secret.id);
  const token = await server.tokenWith(author, ['comments:read']);
  assertMissingScope(await list(root.id, '', token), 'articles:read');
});

test('404 not-found: no such comment, a hidden one, one on what is not seen', async () => {
  const { reader, id, root } = await scenario();
  assertProblem(await list(newId(2)), 'not-found');
  await moderate(server, root.id, { status: 'hidden' });
  assertProblem(await list(root.id), 'not-found');
  assert.equal((await list(root.id, '', reader.token)).status, 200);
  await moderate(server, root.id, { status: 'visible' });
  await setArticleStatus(server, id, 'hidden');
  assertProblem(await list(root.id), 'not-found');
  // The words are the same: others would say that the comment and its article exist.
  const [unseen, unknown] = [await list(root.id), await list(newId(2))];
  assert.equal(unseen.body.detail, unknown.body.detail);
});

test('410 gone: the article was removed', async () => {
  const { id, root } = await scenario();
  await setArticleStatus(server, id, 'removed');
  assertGone(await list(root.id));
});

test('451 unavailable-for-legal-reasons: the article was removed by law', async () => {
  const { id, root } = await scenario();
  await removeLegally(server, id);
  assertLegallyRemoved(await list(root.id));
});
