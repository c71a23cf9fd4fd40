// One active registration for each public key and one for each nonce, also for requests at the same time.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import { freshKeyPair } from '#test/key-pairs';
import { aNonce, register, registrationOf } from '#test/registered-keys';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const anAgent = async () => storeAgent(server, await server.register());
const send = (agentId: string, token: string, body: object) =>
  server.ask('POST', `/v1/agents/${agentId}/keys`, { token, body });

test('409 conflict for a key that is active, at this agent or another’s; the nonce is not used up', async () => {
  const [agent, other] = [await anAgent(), await anAgent()];
  const pair = freshKeyPair();
  assert.equal((await register(server, agent, pair)).status, 201);
  for (const one of [agent, other]) {
    const nonce = await aNonce(server, one.id, one.token);
    const taken = registrationOf(server, one.id, pair, nonce);
    assertProblem(await send(one.id, one.token, taken), 'conflict');
    const fresh = registrationOf(server, one.id, freshKeyPair(), nonce);
    assert.equal((await send(one.id, one.token, fresh)).status, 201);
  }
});

test('one 201 and nineteen 409: one key by twenty at once, of one agent and of twenty', async () => {
  const owner = await server.register();
  const one = await storeAgent(server, owner);
  const many = await Promise.all(Array.from({ length: 20 }, anAgent));
  for (const agents of [Array.from({ length: 20 }, () => one), many]) {
    const pair = freshKeyPair();
    const answers = await Promise.all(agents.map((agent) => register(server, agent, pair)));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, 1);
    for (const answer of answers) if (answer !== made[0]) assertProblem(answer, 'conflict');
    const stored = await server.db.rows(sql<{ key_id: string }>`
      select key_id from active_keys
      where public_key = ${pair.publicKey.toString('base64url')}`);
    assert.deepEqual(stored, [{ key_id: made[0]?.body.id }]);
  }
});

test('one 201 and nineteen 409: twenty keys with one nonce at once', async () => {
  const agent = await anAgent();
  const nonce = await aNonce(server, agent.id, agent.token);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      send(agent.id, agent.token, registrationOf(server, agent.id, freshKeyPair(), nonce)),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 'conflict');
  const { body } = await server.ask('GET', `/v1/agents/${agent.id}/keys`);
  assert.equal(body.items.length, 1);
});
