// GET /v1/media over HTTP: the caller's own records, page by page.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '#test/harness';
import { aRecord, pngOf, upload } from '#test/media-files';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

test('200 newest first, in every state, and only the caller’s own', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const list = async (query = '') =>
    (await server.ask('GET', `/v1/media${query}`, { token: human.token })).body;
  assert.deepEqual(await list(), { items: [], next_cursor: null });
  await upload(server, other, 'image', pngOf(1, 1));
  const ready = (await upload(server, human, 'image', pngOf(1, 1))).body;
  const rejected = (await upload(server, human, 'audio', pngOf(1, 1))).body;
  const pending = await aRecord(server, human, 'audio');
  assert.deepEqual((await list()).items, [pending, rejected, ready]);
  assert.deepEqual((await list('?status=rejected')).items, [rejected]);
  assert.deepEqual((await list('?kind=audio')).items, [pending, rejected]);
  assert.deepEqual((await list('?kind=image&status=pending')).items, []);
  await server.ask('DELETE', `/v1/media/${ready.id}`, { token: human.token });
  const [removed] = (await list('?status=removed')).items;
  assert.equal(removed.id, ready.id);
  assert.equal(removed.url, null);
  const first = await list('?limit=2');
  assert.deepEqual(
    first.items.map(({ id }: { id: string }) => id),
    [pending.id, rejected.id],
  );
  const second = await list(`?limit=2&cursor=${first.next_cursor}`);
  assert.equal(second.items.length, 1);
  assert.equal(second.next_cursor, null);
});
