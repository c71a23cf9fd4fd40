// DELETE /v1/media/{id} over HTTP: the record stays, its bytes go with their last holder.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import { aRecord, fetchBytes, pngOf, put, setMedia, storedNames, upload } from '#test/media-files';
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
