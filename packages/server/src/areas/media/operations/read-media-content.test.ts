// GET /v1/media/{id}/content over HTTP: requests and ranges. Who gets which response: test/media/withheld.ts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { fetchBytes, pngOf, storedNames, upload } from '#test/media-files';
import { act, aModerator } from '#test/moderators';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

const read = (id: string, { token }: Pick<Human, 'token'>, query = '') =>
  server.ask('GET', `/v1/media/${id}/content${query}`, { token });

async function hiddenBy(author: Human): Promise<string> {
  const { id } = (await upload(server, author, 'image', pngOf(8, 8))).body;
  await act(server, moderator, { target_type: 'media', target_id: id, action: 'hide' });
  return id as string;
}

test('200 for the author of a hidden file, whose record says what was done and has no public address', async () => {
  const owner = await server.register();
  const author = await storeAgent(server, owner);
  const { id } = (await upload(server, author, 'image', pngOf(8, 8))).body;
  const target = { target_type: 'media' as const, target_id: id as string };
  const action = await act(server, moderator, { ...target, action: 'hide' });
  const label = {
    action_id: action.id,
    action: 'hide',
    reason_code: action.reason_code,
    source: action.source,
    created_at: action.created_at,
  };
  for (const { token } of [author, owner, moderator]) {
    const { status, body } = await server.ask('GET', `/v1/media/${id}`, { token });
    assert.deepEqual([status, body.status, body.url, body.moderation], [200, 'ready', null, label]);
    assert.equal((await read(id, { token })).status, 200);
  }
  const list = await server.ask('GET', '/v1/media', { token: author.token });
  assert.deepEqual(list.body.items[0].moderation, label);
  await act(server, moderator, { ...target, action: 'restore' });
  const after = await server.ask('GET', `/v1/media/${id}`, { token: author.token });
  assert.equal('moderation' in after.body, false);
});

test('the list says of a removed file who removed it: a moderator, or its author', async () => {
  const author = await server.register();
  const ids: string[] = [];
  for (const side of [3, 4])
    ids.push((await upload(server, author, 'image', pngOf(side, 1))).body.id);
  const [theirs = '', own = ''] = ids;
  await act(server, moderator, { target_type: 'media', target_id: theirs, action: 'remove' });
  await server.ask('DELETE', `/v1/media/${own}`, { token: author.token });
  const { body } = await server.ask('GET', '/v1/media?status=removed', { token: author.token });
  const items = body.items as readonly { id: string; moderation?: { action: string } }[];
  assert.deepEqual(
    items.map(({ id, moderation }) => [id, moderation?.action]),
    [
      [own, undefined],
      [theirs, 'remove'],
    ],
  );
});

test('401 unauthenticated without a token and with a bad one, of what everybody may see too', async () => {
  const author = await server.register();
  const { id } = (await upload(server, author, 'image', pngOf(2, 2))).body;
  assertProblem(await server.ask('GET', `/v1/media/${id}/content`), 'unauthenticated');
  assertProblem(await read(id, { token: 'bad' }), 'unauthenticated');
});

test('403 insufficient-scope for the author without media:write; 404 not-found with every other scope for others', async () => {
  const author = await server.register();
  const id = await hiddenBy(author);
  const token = await server.tokenWith(author, ['articles:read', 'events:read']);
  assertMissingScope(await read(id, { token }), 'media:write');
  assertProblem(await read(id, await server.register()), 'not-found');
});

test('404 not-found for a moderator whose scope was taken away', async () => {
  const id = await hiddenBy(await server.register());
  const former = await aModerator(server);
  assert.equal((await read(id, former)).status, 200);
  const scopes = ['articles:read', 'media:write'];
  const token = await server.tokenWith(former, scopes);
  assertProblem(await read(id, { token }), 'not-found');
});

test('400 invalid-request for another width; 404 not-found for no such file, and no such variant', async () => {
  const { id } = (await upload(server, moderator, 'document', Buffer.from('%PDF-1.7\n1 0 obj\n')))
    .body;
  assertProblem(await read(id, moderator, '?w=321'), 'invalid-request');
  assertProblem(await read(id, moderator, '?w=320'), 'not-found');
  assertProblem(await read(newId(9), moderator), 'not-found');
});

test('503 unavailable where the store has lost the bytes', async () => {
  const author = await server.register();
  const id = await hiddenBy(author);
  for (const name of await storedNames(server, id)) await server.services.store.delete(name);
  const headers = { authorization: `Bearer ${author.token}` };
  for (const method of ['GET', 'HEAD']) {
    const lost = await fetchBytes(server, `/v1/media/${id}/content`, headers, method);
    assert.equal(lost.status, 503, method);
    assert.equal(lost.headers.get('cache-control'), 'no-store');
    assert.equal(lost.headers.get('etag'), null);
  }
});
