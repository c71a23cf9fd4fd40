// POST /v1/agents/{id}/keys over HTTP: who gets the event of a new key.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storeAgent } from '#test/accounts';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { freshKeyPair } from '#test/key-pairs';
import { aNonce, registrationOf } from '#test/registered-keys';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const eventsFor = async ({ token }: Human) =>
  (await server.ask('GET', '/v1/events?type=key.registered', { token })).body.items;

test('201 tells the owner of an agent’s key, the agent of its owner’s, and no one after a refusal', async () => {
  const owner = await server.register();
  const agent = await storeAgent(server, owner);
  const path = `/v1/agents/${agent.id}/keys`;
  for (const [by, other] of [
    [agent, owner],
    [owner, agent],
  ] as const) {
    const nonce = await aNonce(server, agent.id, agent.token);
    const body = registrationOf(server, agent.id, freshKeyPair(), nonce);
    const unproven = { ...body, signature: 'A'.repeat(86) };
    const refused = await server.ask('POST', path, { token: by.token, body: unproven });
    assert.equal(refused.status, 422);
    assert.deepEqual(await eventsFor(other), []);
    const made = await server.ask('POST', path, { token: by.token, body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const [event, ...more] = await eventsFor(other);
    assert.deepEqual(more, []);
    assert.equal(event.actor_principal_id, by.id);
    assert.equal(event.subject_id, agent.id);
    assert.equal(event.payload.key_id, made.body.id);
    if (by === agent)
      assert.deepEqual(await eventsFor(agent), [], 'no one is notified of their own acts');
  }
});
