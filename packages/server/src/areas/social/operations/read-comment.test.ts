// GET /v1/comments/{id}: one comment, who may read it, and 410 after its deletion.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { scopes } from '@colophon/contract';
import { newId } from '#lib/id';
import { removeLegally, storeAgent, storeToken } from '#test/accounts';
import { comment, moderate, setArticleStatus } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (id: string, token?: string) =>
  server.ask('GET', `/v1/comments/${id}`, token === undefined ? {} : { token });

async function scenario(members: Readonly<Record<string, unknown>> = {}) {
  const [author, reader] = [await server.register(), await server.register()];
  const id = (await server.published(author, members)).id as string;
  const made = await comment(server, members['visibility'] === 'private' ? author : reader, id);
  return { author, reader, id, made };
}

test('200 for everybody, to be kept by shared caches and revalidated', async () => {
  const { made } = await scenario();
  const answer = await read(made.id);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, made);
  assert.equal(
    answer.headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const again = await server.ask('GET', `/v1/comments/${made.id}`, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
});

test('200 with a token: stored by no cache', async () => {
  const { reader, made } = await scenario();
  const answer = await read(made.id, reader.token);
  assert.equal(answer.headers.get('cache-control'), 'private, no-store');
});

test('200 on an unlisted article', async () => {
  const { made } = await scenario({ visibility: 'unlisted' });
  assert.equal((await read(made.id)).status, 200);
});

test('200 with the text of what was hidden, for its author, its owner and moderators', async () => {
  const { id } = await scenario();
  const [owner, moderator] = [await server.register(), await server.register()];
  const agent = await storeAgent(server, owner);
  const made = await comment(server, agent, id);
  await moderate(server, made.id, { status: 'hidden' });
  const all = await storeToken(server, moderator.id, scopes);
  for (const token of [agent.token, owner.token, all]) {
    const { body } = await read(made.id, token);
    assert.deepEqual([body.status, body.content], ['hidden', made.content]);
  }
});

test('401 unauthenticated with a malformed token', async () => {
  const { made } = await scenario();
  assertProblem(await read(made.id, 'clp_nothing'), 'unauthenticated');
});

test('403 insufficient-scope for the author of what was hidden, without comments:read', async () => {
  const { reader, made } = await scenario();
  await moderate(server, made.id, { status: 'hidden' });
  const token = await server.tokenWith(reader, ['comments:write']);
  assertMissingScope(await read(made.id, token), 'comments:read');
});

test('403 insufficient-scope on a private article for its author, without articles:read', async () => {
  const { author, made } = await scenario({ visibility: 'private' });
  const token = await server.tokenWith(author, ['comments:read']);
  assertMissingScope(await read(made.id, token), 'articles:read');
});

test('404 not-found: no such comment, a hidden one, one on what is not seen', async () => {
  const { author, reader, id, made } = await scenario();
  assertProblem(await read(newId(9)), 'not-found');
  assertProblem(await read('nothing'), 'not-found');
  await moderate(server, made.id, { status: 'hidden' });
  assertProblem(await read(made.id), 'not-found');
  assertProblem(await read(made.id, author.token), 'not-found');
  await moderate(server, made.id, { status: 'visible' });
  await setArticleStatus(server, id, 'hidden');
  assertProblem(await read(made.id), 'not-found');
  // The words are the same: others would say that the comment and its article exist.
  const [unseen, unknown] = [await read(made.id), await read(newId(9))];
  assert.equal(unseen.body.detail, unknown.body.detail);
  assertProblem(await read(made.id, reader.token), 'not-found');
  const secret = await scenario({ visibility: 'private' });
  assertProblem(await read(secret.made.id), 'not-found');
  assert.equal((await read(secret.made.id, secret.author.token)).status, 200);
});

test('410 gone: deleted, removed, or on an article that is gone', async () => {
  const { reader, id, made } = await scenario();
  const other = await comment(server, reader, id);
  await moderate(server, other.id, { status: 'removed' });
  const gone = await read(other.id, reader.token);
  assertGone(gone);
  assert.equal(gone.body.reason_code, 'court_order');
  await server.ask('DELETE', `/v1/comments/${made.id}`, { token: reader.token });
  assertGone(await read(made.id));
  assertGone(await read(made.id, reader.token));
  const kept = await comment(server, reader, id);
  await setArticleStatus(server, id, 'removed');
  assertGone(await read(kept.id));
});

test('451 unavailable-for-legal-reasons: the comment, or its article', async () => {
  const { reader, id, made } = await scenario();
  const other = await comment(server, reader, id);
  await moderate(server, other.id, { status: 'removed', legally: true });
  assertLegallyRemoved(await read(other.id));
  await removeLegally(server, id);
  assertLegallyRemoved(await read(made.id));
});
