// DELETE /v1/exports/{id} over HTTP: the archive goes, and an export that runs ends.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { createAgent } from '#test/agents';
import { untilWaiting } from '#test/blocked-by-lock';
import { untilSettled } from '#test/edges';
import { readyExport, requestExport } from '#test/exports';
import { assertProblem, startServer } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';
import { until } from '#test/throw-away-database';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const remove = (token: string, id: string) => server.ask('DELETE', `/v1/exports/${id}`, { token });

async function pieces(id: string): Promise<number> {
  let count = 0;
  for await (const _ of server.services.store.list(bucketOf(id), 'export')) count += 1;
  return count;
}

test('204; the record, the archive and its bytes are gone', async () => {
  const human = await server.register();
  const { token } = human;
  await server.draft(human);
  const { id } = await readyExport(server, human);
  assert.ok((await pieces(id)) > 0);
  assert.equal((await remove(token, id)).status, 204);
  assertProblem(await server.ask('GET', `/v1/exports/${id}`, { token }), 'not-found');
  assertProblem(await server.ask('GET', `/v1/exports/${id}/content`, { token }), 'not-found');
  assertProblem(await remove(token, id), 'not-found');
  await until('the bytes are deleted', async () => (await pieces(id)) === 0);
});

test('204 while it runs: another one may begin, and nothing of the first stays', async () => {
  const human = await server.register();
  for (let n = 0; n < 5; n += 1) await server.draft(human);
  const { id } = (await requestExport(server, human)).body;
  assert.equal((await remove(human.token, id)).status, 204);
  const next = await readyExport(server, human);
  assert.equal((await remove(human.token, next.id)).status, 204);
  await until('the bytes are deleted', async () => (await pieces(id)) === 0);
});

test('204 while a step commits: the parts that it adds are deleted too', async () => {
  const human = await server.register();
  const { id } = await readyExport(server, human);
  const bucket = bucketOf(id);
  // A step first updates the record, and then inserts parts.
  const step = sql`update exports set steps = steps + 1 where bucket = ${bucket} and id = ${id}`;
  // A job that met the lock would be counted as the request.
  await untilSettled(server);
  const deleted = await server.db.transaction(async (tx) => {
    await tx.run(step);
    const answer = remove(human.token, id);
    await untilWaiting(server, 1);
    await tx.run(sql`
      insert into export_parts (bucket, export_id, kind, start, byte_size, name)
      values (${bucket}, ${id}, 'listing', 0, 1, 'added')`);
    return { answer };
  });
  assert.equal((await deleted.answer).status, 204);
});

test('404 not-found for others; 403 insufficient-scope for an owner without agents:read', async () => {
  const [owner, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, owner);
  const { id } = await readyExport(server, agent);
  assertProblem(await remove(other.token, id), 'not-found');
  const reading = await server.tokenWith(owner, ['articles:read', 'comments:read']);
  assertMissingScope(await remove(reading, id), 'agents:read');
  assert.equal((await remove(owner.token, id)).status, 204);
});
