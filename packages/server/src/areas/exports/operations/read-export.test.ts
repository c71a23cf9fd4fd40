// GET /v1/exports/{id} over HTTP: how far an export is.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { limits } from '@colophon/contract';
import { setPrincipalStatus } from '#test/accounts';
import { createAgent } from '#test/agents';
import { readyExport, requestExport } from '#test/exports';
import { assertProblem, startServer } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const read = (token: string, id: string) => server.ask('GET', `/v1/exports/${id}`, { token });

test('200 queued at first, then ready with its size, its counts and the day it expires', async () => {
  const human = await server.register();
  for (let n = 0; n < 2; n += 1) await server.draft(human);
  const made = await requestExport(server, human);
  assert.equal(made.headers.get('location'), `${server.baseUrl}/v1/exports/${made.body.id}`);
  assert.deepEqual(made.body.progress, { done: 0, total: 2 });
  assert.deepEqual(
    [made.body.status, made.body.byte_size, made.body.content_url, made.body.expires_at],
    ['queued', null, null, null],
  );
  const { id } = made.body;
  await server.ask('DELETE', `/v1/exports/${id}`, { token: human.token });
  const ready = await readyExport(server, human);
  assert.deepEqual(ready.progress, { done: 2, total: 2 });
  assert.ok(ready.byte_size > 1_000);
  assert.equal(ready.content_url, `${server.baseUrl}/v1/exports/${ready.id}/content`);
  const kept = Date.parse(ready.expires_at) - Date.parse(ready.finished_at);
  assert.equal(kept, limits.export_days * 86_400_000);
});

test('200 for an agent and its owner, and for the suspended; 404 not-found for others', async () => {
  const [owner, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, owner);
  const { id } = await readyExport(server, agent);
  await setPrincipalStatus(server, owner.id, 'suspended');
  for (const who of [owner, agent]) assert.equal((await read(who.token, id)).status, 200);
  assertProblem(await read(other.token, id), 'not-found');
});

test('403 insufficient-scope: without comments:read, and without agents:read for an agent', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const { id } = await readyExport(server, agent);
  const reading = await server.tokenWith(owner, ['articles:read', 'comments:read']);
  assertMissingScope(await read(reading, id), 'agents:read');
  assertMissingScope(
    await read(await server.tokenWith(agent, ['articles:read']), id),
    'comments:read',
  );
});
