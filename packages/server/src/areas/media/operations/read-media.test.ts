// GET /v1/media/{id} over HTTP: ready records are public, others are not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { scopes } from '@colophon/contract';
import { storeAgent, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import { aRecord, pngOf, setMedia, upload } from '#test/media-files';
import { assertGone, assertLegallyRemoved, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (id: string, token?: string) =>
  server.ask('GET', `/v1/media/${id}`, token === undefined ? {} : { token });

test('200 for everybody once it is ready', async () => {
  const human = await server.register();
  const { body } = await upload(server, human, 'image', pngOf(3, 2));
  for (const token of [undefined, human.token, (await server.register()).token])
    assert.deepEqual((await read(body.id, token)).body, body);
  assert.equal(body.url, `${server.baseUrl}/media/${body.id}`);
  assert.equal(body.upload_url, null);
});

test('404 not-found before that, except for the owner', async () => {
  const human = await server.register();
  const record = await aRecord(server, human, 'image');
  const rejected = (await upload(server, human, 'video', pngOf(1, 1))).body;
  const agent = await storeAgent(server, human);
  for (const { id } of [record, rejected]) {
    assertProblem(await read(id), 'not-found');
    assertProblem(await read(id, (await server.register()).token), 'not-found');
    assertProblem(await read(id, agent.token), 'not-found');
    assert.equal((await read(id, human.token)).status, 200);
  }
  assert.deepEqual((await read(record.id, human.token)).body, record);
  assert.match((await read(rejected.id, human.token)).body.rejection_reason, /image/);
});

test('403 insufficient-scope: the owner needs media:write for what is not ready', async () => {
  const human = await server.register();
  const { id } = await aRecord(server, human, 'image');
  const token = await server.tokenWith(human, ['articles:read']);
  assertMissingScope(await read(id, token), 'media:write');
});

test('404 not-found: hidden by a moderator, except for owner and moderators', async () => {
  const human = await server.register();
  const { id } = (await upload(server, human, 'image', pngOf(1, 1))).body;
  await setMedia(server, id, { hidden: true });
  const moderator = await storeToken(server, (await server.register()).id, scopes);
  assertProblem(await read(id), 'not-found');
  for (const token of [human.token, moderator]) assert.equal((await read(id, token)).status, 200);
});

test('404 not-found: no account has this id', async () => {
  assertProblem(await read(newId(3)), 'not-found');
});

test('410 gone once it was removed, for everybody; one that was never ready only for its owner', async () => {
  const human = await server.register();
  const { id } = (await upload(server, human, 'image', pngOf(1, 1))).body;
  const record = await aRecord(server, human, 'image');
  for (const one of [id, record.id]) {
    const { status } = await server.ask('DELETE', `/v1/media/${one}`, { token: human.token });
    assert.equal(status, 204);
    assertGone(await read(one, human.token));
  }
  assertGone(await read(id));
  assertProblem(await read(record.id), 'not-found');
});

test('451 unavailable-for-legal-reasons after a removal with a legal source', async () => {
  const human = await server.register();
  const { id } = (await upload(server, human, 'image', pngOf(1, 1))).body;
  await setMedia(server, id, { legal: true });
  assertLegallyRemoved(await read(id));
  assertLegallyRemoved(await read(id, human.token));
});
