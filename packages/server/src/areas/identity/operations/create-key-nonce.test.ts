// POST /v1/agents/{id}/keys/nonce over HTTP: who gets a nonce, and how it is stored.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import { assertFault, assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const ask = (agentId: string, token: string) =>
  server.ask('POST', `/v1/agents/${agentId}/keys/nonce`, { token });

test('201 with 256 bits that are valid for ten minutes, different each time', async () => {
  const agent = await storeAgent(server, await server.register());
  const before = Date.now();
  const answers = [await ask(agent.id, agent.token), await ask(agent.id, agent.token)];
  for (const { status, body } of answers) {
    assert.equal(status, 201);
    assert.match(body.nonce, /^[\w-]{43}$/);
    const held = Date.parse(body.expires_at) - before;
    assert.ok(held >= 600_000 && held < 630_000, String(held));
  }
  assert.notEqual(answers[0]?.body.nonce, answers[1]?.body.nonce);
});

test('201 for the agent with profile:write or articles:publish, and for its owner', async () => {
  const owner = await server.register();
  for (const scope of ['profile:write', 'articles:publish'] as const) {
    const agent = await storeAgent(server, owner, [scope]);
    assert.equal((await ask(agent.id, agent.token)).status, 201);
    assert.equal((await ask(agent.id, owner.token)).status, 201);
  }
});

test('422 validation-failed for a member, 400 invalid-request for what is not JSON: nothing is ignored', async () => {
  const agent = await storeAgent(server, await server.register());
  const send = (sent: object) =>
    server.ask('POST', `/v1/agents/${agent.id}/keys/nonce`, { token: agent.token, ...sent });
  assert.equal((await send({ body: {} })).status, 201);
  assertFault(await send({ body: { label: 'first key' } }), '/label', 'unknown');
  assertProblem(await send({ raw: '{' }), 'invalid-request');
});

test('the database contains the SHA-256 of a nonce and never the nonce', async () => {
  const agent = await storeAgent(server, await server.register());
  const { nonce } = (await ask(agent.id, agent.token)).body;
  const rows = await server.db.rows(sql<{ row: string; found: boolean }>`
    select n::text as row, hash = sha256(${nonce}::text::bytea) as found
    from key_nonces n
    where bucket = ${bucketOf(agent.id)} and agent_id = ${agent.id}`);
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.found, true);
  assert.ok(!rows[0].row.includes(nonce));
});

test('403 insufficient-scope: the agent without either scope, the owner without agents:manage', async () => {
  const owner = await server.register();
  const agent = await storeAgent(server, owner, ['articles:write']);
  const refused = await ask(agent.id, agent.token);
  assertMissingScope(refused, 'profile:write');
  assert.match(refused.body.detail, /articles:publish is enough too/);
  const narrow = await server.tokenWith(owner, ['profile:write', 'articles:publish']);
  assertMissingScope(await ask(agent.id, narrow), 'agents:manage');
});

test('403 forbidden: another person, another agent of the same owner, a suspended agent', async () => {
  const owner = await server.register();
  const [agent, sibling] = [await storeAgent(server, owner), await storeAgent(server, owner)];
  for (const other of [await server.register(), sibling])
    assertProblem(await ask(agent.id, other.token), 'forbidden');
  await setPrincipalStatus(server, agent.id, 'suspended');
  assertProblem(await ask(agent.id, agent.token), 'forbidden');
});

test('404 not-found: no account has this id, a person has it, the agent is closed', async () => {
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  assertProblem(await ask(newId(bucketOf(owner.id)), owner.token), 'not-found');
  assertProblem(await ask(owner.id, owner.token), 'not-found');
  await setPrincipalStatus(server, agent.id, 'closed');
  assertProblem(await ask(agent.id, owner.token), 'not-found');
});
