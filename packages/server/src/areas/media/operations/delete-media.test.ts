// DELETE /v1/media/{id} over HTTP: the record stays, its bytes are deleted with their last record.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import { aRecord, fetchBytes, pngOf, put, setMedia, storedNames, upload } from '#test/media-files';
import { act, aModerator } from '#test/moderators';
import { assertGone, assertLegallyRemoved } from '#test/problem-checks';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const remove = (token: string, id: string) => server.ask('DELETE', `/v1/media/${id}`, { token });

test('204, and the bytes are destroyed, variants too', async () => {
  const human = await server.register();
  const { id } = (await upload(server, human, 'image', pngOf(9, 9))).body;
  await until('the variants are there', async () => (await storedNames(server, id)).length === 4);
  assert.equal((await remove(human.token, id)).status, 204);
  assert.equal((await fetchBytes(server, `/media/${id}`)).status, 410);
  await until('the bytes are gone', async () => (await storedNames(server, id)).length === 0);
});

test('204 for one of two records with the same bytes: the other one still has them', async () => {
  const human = await server.register();
  const bytes = pngOf(11, 3);
  const [one, two] = [
    (await upload(server, human, 'image', bytes)).body,
    (await upload(server, human, 'image', bytes)).body,
  ];
  assert.equal(one.checksum_sha256, two.checksum_sha256);
  await until(
    'the second copy is gone, the variants are there',
    async () => (await storedNames(server, one.id)).length === 4,
  );
  assert.equal((await remove(human.token, one.id)).status, 204);
  assert.deepEqual((await fetchBytes(server, `/media/${two.id}`)).bytes, bytes);
  assert.equal((await fetchBytes(server, `/media/${one.id}`)).status, 410);
  assert.equal((await remove(human.token, two.id)).status, 204);
  await until('the bytes are gone', async () => (await storedNames(server, one.id)).length === 0);
});

test('204 for both holders at once: nothing is left, and both are counted', async () => {
  const human = await server.register();
  const bytes = pngOf(5, 13);
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1)
    ids.push((await upload(server, human, 'image', bytes)).body.id);
  const answers = await Promise.all(ids.map((id) => remove(human.token, id)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
  const [id = ''] = ids;
  await until('the bytes are gone', async () => (await storedNames(server, id)).length === 0);
  assert.equal((await upload(server, human, 'image', bytes)).body.status, 'ready');
});

for (const [action, source, others, own] of [
  ['hide', 'proactive', 'not-found', 'gone'],
  ['remove', 'proactive', 'gone', 'gone'],
  ['remove', 'legal', 'unavailable-for-legal-reasons', 'unavailable-for-legal-reasons'],
] as const) {
  test(`204 for the caller’s own after ${action}, ${source}: the bytes go, readers are answered as before, and no restoration brings it back`, async () => {
    const [human, moderator] = [await server.register(), await aModerator(server)];
    const { id } = (await upload(server, human, 'image', pngOf(9, 2))).body;
    await until('the variants are there', async () => (await storedNames(server, id)).length === 4);
    const target = { target_type: 'media' as const, target_id: id as string, source };
    const { id: actionId } = await act(server, moderator, { ...target, action });
    const place = `/v1/media/${id}`;
    const seen = async () => {
      const answers = [await server.ask('GET', place), await server.ask('GET', `/media/${id}`)];
      return answers.map(({ body }) => [body.type, body.detail, body.removed_at, body.reason_code]);
    };
    const before = await seen();
    assertProblem(await server.ask('GET', place), others);
    assert.equal((await remove(human.token, id)).status, 204);
    assert.deepEqual(await seen(), before);
    for (const { token } of [human, moderator])
      assertProblem(await server.ask('GET', place, { token }), own);
    assertProblem(await remove(human.token, id), own);
    await until('the bytes are gone', async () => (await storedNames(server, id)).length === 0);
    const list = await server.ask('GET', '/v1/media', { token: human.token });
    const { status, moderation } = list.body.items[0];
    assert.deepEqual([status, moderation.action_id], ['removed', actionId]);
    await act(server, moderator, { ...target, action: 'restore' });
    for (const asked of [{}, { token: human.token }, { token: moderator.token }])
      assertGone(await server.ask('GET', place, asked));
  });
}

test('204 for one of two records with the same bytes that was removed: the other one still has them', async () => {
  const [human, moderator] = [await server.register(), await aModerator(server)];
  const bytes = pngOf(12, 4);
  const first = (await upload(server, human, 'image', bytes)).body.id as string;
  const second = (await upload(server, human, 'image', bytes)).body.id as string;
  await act(server, moderator, { target_type: 'media', target_id: first, action: 'remove' });
  assert.equal((await remove(human.token, first)).status, 204);
  assert.deepEqual((await fetchBytes(server, `/media/${second}`)).bytes, bytes);
  const withheld = await server.ask('GET', `/v1/media/${first}/content`, {
    token: moderator.token,
  });
  assertProblem(withheld, 'gone');
});

test('410 gone for a reservation that a moderator removed: there is nothing to take away', async () => {
  const [human, moderator] = [await server.register(), await aModerator(server)];
  const { id } = await aRecord(server, human, 'image');
  await act(server, moderator, { target_type: 'media', target_id: id, action: 'remove' });
  assertGone(await remove(human.token, id));
});

test('204 before the bytes came: they are not taken any more', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  assert.equal((await remove(human.token, id)).status, 204);
  assertProblem(await put(server, human, id, pngOf(1, 1)), 'conflict');
});

test('403 forbidden: another’s, the agent’s owner too', async () => {
  const human = await server.register();
  const agent = await storeAgent(server, human);
  const { id } = (await upload(server, agent, 'image', pngOf(1, 1))).body;
  for (const one of [human, await server.register()])
    assertProblem(await remove(one.token, id), 'forbidden');
  assertProblem(await remove(human.token, newId(1)), 'not-found');
});

test('410 gone the second time, one of two at once; 451 unavailable-for-legal-reasons', async () => {
  const human = await server.register();
  const { id } = (await upload(server, human, 'image', pngOf(1, 1))).body;
  const both = await Promise.all([remove(human.token, id), remove(human.token, id)]);
  assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([204, 410]));
  assertGone(await remove(human.token, id));
  await setMedia(server, id, { legal: true });
  assertLegallyRemoved(await remove(human.token, id));
});
