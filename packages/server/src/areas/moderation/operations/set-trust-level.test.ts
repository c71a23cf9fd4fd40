// Trust levels set by administrators.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { newId } from '#lib/id';
import { setPrincipalStatus } from '#test/accounts';
import { administrator } from '#test/administrators';
import { createAgent } from '#test/agents';
import { blockedByLock, untilWaiting } from '#test/blocked-by-lock';
import { assertProblem, startServer } from '#test/harness';
import type { Response } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const admin = await administrator(server);
const set = (id: string, level: unknown) =>
  server.ask('POST', `/v1/admin/principals/${id}/trust`, { token: admin.token, body: { level } });

async function levelOf(id: string): Promise<number> {
  return (await server.ask('GET', `/v1/principals/${id}`)).body.trust_level;
}

test('200 with the level before; the audit log keeps who set it', async () => {
  const human = await server.register();
  const answer = await set(human.id, 3);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(answer.body, { principal_id: human.id, trust_level: 3, trust_level_before: 0 });
  assert.equal(await levelOf(human.id), 3);
  const row = await server.db.first(sql<{ actor: string; action: string; details: object }>`
    select actor, action, details
    from audit_log
    where bucket = 0 and target_id = ${human.id}`);
  assert.deepEqual(row, { actor: admin.id, action: 'trust', details: { from: 0, to: 3 } });
});

test('200 for the present level, which changes nothing: twenty of one form are one row of the audit log', async () => {
  const human = await server.register();
  const answers = await Promise.all(Array.from({ length: 20 }, () => set(human.id, 2)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(20).fill(200),
  );
  const before = answers
    .map(({ body }) => Number(body.trust_level_before))
    .toSorted((a, b) => a - b);
  assert.deepEqual(before, [0, ...Array(19).fill(2)]);
  const rows = await server.db.rows(sql`
    select number
    from audit_log
    where bucket = 0 and target_id = ${human.id}`);
  assert.equal(rows.length, 1);
});

test('200 for a person: agents that would be above come down', async () => {
  const owner = await server.register();
  await set(owner.id, 2);
  const agent = await createAgent(server, owner);
  assert.equal((await set(agent.id, 2)).status, 200);
  assert.equal((await set(owner.id, 1)).status, 200);
  assert.equal(await levelOf(agent.id), 1);
});

test('an agent is raised while its owner is lowered: it is not above its owner', async () => {
  const owner = await server.register();
  await set(owner.id, 3);
  const agent = await createAgent(server, owner);
  const end = sql`select number from audit_heads where bucket = 0 for update`;
  let lowered: Promise<Response> | undefined;
  const [raised] = await blockedByLock(server, end, [() => set(agent.id, 3)], async () => {
    lowered = set(owner.id, 1);
    await untilWaiting(server, 2);
  });
  assert.equal(raised?.status, 200);
  assert.equal((await lowered)?.status, 200);
  assert.equal(await levelOf(agent.id), 1);
});

test('409 conflict for an agent above its owner, which changes nothing', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  assertProblem(await set(agent.id, 1), 'conflict');
  assert.equal(await levelOf(agent.id), 0);
});

test('404 not-found for an unknown id', async () => {
  assertProblem(await set(newId(7), 1), 'not-found');
});

test('410 gone for a closed account', async () => {
  const human = await server.register();
  await setPrincipalStatus(server, human.id, 'closed');
  assertProblem(await set(human.id, 1), 'gone');
});

test('422 validation-failed for what is not a level', async () => {
  const human = await server.register();
  for (const level of [-1, 4, 1.5, '1', null])
    assertProblem(await set(human.id, level), 'validation-failed');
});

test('twenty at once on one person: each says what the one before left, and the chain has them all', async () => {
  const human = await server.register();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => set(human.id, index % 4)),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const rows = await server.db.rows(sql<{ details: { from: number; to: number } }>`
    select details
    from audit_log
    where bucket = 0 and target_id = ${human.id}
    order by number`);
  const changes = answers.filter(({ body }) => body.trust_level_before !== body.trust_level);
  assert.equal(rows.length, changes.length);
  assert.deepEqual(
    rows.map(({ details }) => details.from),
    [0, ...rows.slice(0, -1).map(({ details }) => details.to)],
  );
  assert.equal(rows.at(-1)?.details.to, await levelOf(human.id));
});
