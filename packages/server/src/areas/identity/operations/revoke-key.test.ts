// DELETE /v1/agents/{id}/keys/{key_id} over HTTP: immediate, permanent, with the time of a compromise.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { freshKeyPair } from '#test/key-pairs';
import { assertMissingScope } from '#test/problem-checks';
import { register } from '#test/registered-keys';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const anAgent = async () => storeAgent(server, await server.register());
const revoke = (agentId: string, keyId: string, token: string, compromisedAt?: string) =>
  server.ask(
    'DELETE',
    `/v1/agents/${agentId}/keys/${keyId}${compromisedAt === undefined ? '' : `?compromised_at=${compromisedAt}`}`,
    { token },
  );

async function keyOf(agent: Human): Promise<Response['body']> {
  return (await server.ask('GET', `/v1/agents/${agent.id}/keys`)).body.items[0];
}

test('204 and the key is revoked; a second time 204 as well, and the time of the first stays', async () => {
  const agent = await anAgent();
  const { id } = (await register(server, agent)).body;
  assert.equal((await revoke(agent.id, id, agent.token)).status, 204);
  const first = await keyOf(agent);
  assert.equal(first.status, 'revoked');
  assert.ok(Math.abs(Date.parse(first.revoked_at) - Date.now()) < 30_000);
  assert.equal(first.compromised_at, null);
  assert.equal((await revoke(agent.id, id, agent.token)).status, 204);
  assert.deepEqual(await keyOf(agent), first);
});

test('204 by the owner and by the agent with either scope', async () => {
  const owner = await server.register();
  for (const scope of ['profile:write', 'articles:publish'] as const) {
    const agent = await storeAgent(server, owner, [scope]);
    for (const { token } of [agent, owner]) {
      const { id } = (await register(server, agent)).body;
      assert.equal((await revoke(agent.id, id, token)).status, 204);
      assert.equal((await keyOf(agent)).status, 'revoked');
    }
  }
});

test('204 with the time of a compromise, which can be said later and only moves back', async () => {
  const agent = await anAgent();
  const { id } = (await register(server, agent)).body;
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
  for (const [said, shown] of [
    [undefined, null],
    [late, late],
    [undefined, late],
    [early, early],
    [late, early],
  ] as const) {
    assert.equal((await revoke(agent.id, id, agent.token, said)).status, 204);
    assert.equal((await keyOf(agent)).compromised_at, shown);
  }
});

test('204 twenty times at once, together with registrations of the key: one record is active in the end', async () => {
  const agents = await Promise.all(Array.from({ length: 10 }, anAgent));
  const [holder = await anAgent()] = agents;
  const pair = freshKeyPair();
  const { id } = (await register(server, holder, pair)).body;
  const [revoked, registered] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => revoke(holder.id, id, holder.token))),
    Promise.all(agents.map((agent) => register(server, agent, pair))),
  ]);
  for (const { status } of revoked) assert.equal(status, 204);
  const made = registered.filter(({ status }) => status === 201).map(({ body }) => body.id);
  assert.ok(made.length <= 1);
  const text = pair.publicKey.toString('base64url');
  const unique = await server.db.rows(sql<{ key_id: string }>`
    select key_id from active_keys where public_key = ${text}`);
  const active = await server.db.rows(sql<{ key_id: string }>`
    select id as key_id from signing_keys where public_key = ${text} and revoked_at is null`);
  assert.deepEqual(
    unique,
    made.map((key_id) => ({ key_id })),
  );
  assert.deepEqual(active, unique);
});

test('204 with a compromise: no agent can register the key again, even after later revocations', async () => {
  const [agent, other] = [await anAgent(), await anAgent()];
  const pair = freshKeyPair();
  const compromised = '2026-01-01T00:00:00.000Z';
  const first = (await register(server, agent, pair)).body;
  assert.equal((await revoke(agent.id, first.id, agent.token)).status, 204);
  const second = (await register(server, other, pair)).body;
  // It is reported while another record of it is active.
  assert.equal((await revoke(agent.id, first.id, agent.token, compromised)).status, 204);
  assert.equal((await revoke(other.id, second.id, other.token)).status, 204);
  assert.equal((await revoke(agent.id, first.id, agent.token)).status, 204);
  for (const holder of [agent, other]) {
    const refused = await register(server, holder, pair);
    assertProblem(refused, 'conflict');
    assert.match(refused.body.detail, /compromised.* Generate a new key pair/);
    assert.equal((await keyOf(holder)).status, 'revoked');
  }
});

test('204 with a compromise, together with registrations of the key: it is never active again', async () => {
  for (let round = 0; round < 5; round += 1) {
    const agents = await Promise.all(Array.from({ length: 6 }, anAgent));
    const [holder = await anAgent()] = agents;
    const pair = freshKeyPair();
    const { id } = (await register(server, holder, pair)).body;
    const [revoked, registered] = await Promise.all([
      revoke(holder.id, id, holder.token, '2026-01-01T00:00:00.000Z'),
      Promise.all(agents.map((agent) => register(server, agent, pair))),
    ]);
    assert.equal(revoked.status, 204);
    for (const answer of registered) assertProblem(answer, 'conflict');
    assertProblem(await register(server, holder, pair), 'conflict');
  }
});

test('400 invalid-request for a compromise in the time to come; nothing is revoked', async () => {
  const agent = await anAgent();
  const { id } = (await register(server, agent)).body;
  const ahead = new Date(Date.now() + 60_000).toISOString();
  const refused = await revoke(agent.id, id, agent.token, ahead);
  assertProblem(refused, 'invalid-request');
  assert.equal(refused.body.errors[0].pointer, '/compromised_at');
  assert.equal((await keyOf(agent)).status, 'active');
});

test('403 insufficient-scope and forbidden: as for registering', async () => {
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  const { id } = (await register(server, agent)).body;
  const narrow = await server.tokenWith(owner, ['profile:write']);
  assertMissingScope(await revoke(agent.id, id, narrow), 'agents:manage');
  const sibling = await storeAgent(server, owner);
  for (const other of [sibling, await server.register()])
    assertProblem(await revoke(agent.id, id, other.token), 'forbidden');
  assert.equal((await keyOf(agent)).status, 'active');
});

test('404 not-found: no such key, another agent’s key, no such agent, a person', async () => {
  const owner = await server.register();
  const [agent, sibling] = [await storeAgent(server, owner), await storeAgent(server, owner)];
  const { id } = (await register(server, agent)).body;
  assertProblem(await revoke(agent.id, newId(bucketOf(agent.id)), owner.token), 'not-found');
  assertProblem(await revoke(sibling.id, id, owner.token), 'not-found');
  for (const holder of [owner.id, newId(bucketOf(owner.id))])
    assertProblem(await revoke(holder, id, owner.token), 'not-found');
  assert.equal((await keyOf(agent)).status, 'active');
});
