// GET /v1/agents/{id}/keys over HTTP: public, newest first, with revoked keys.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, storeAgent } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import { register } from '#test/registered-keys';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const anAgent = async () => storeAgent(server, await server.register());

test('200 with nothing for an agent that has no key', async () => {
  const { status, body } = await server.ask('GET', `/v1/agents/${(await anAgent()).id}/keys`);
  assert.equal(status, 200);
  assert.deepEqual(body, { items: [], next_cursor: null });
});

test('200 without a token, newest first, page by page, and only this agent’s', async () => {
  const owner = await server.register();
  const [agent, sibling] = [await storeAgent(server, owner), await storeAgent(server, owner)];
  await register(server, sibling);
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await register(server, agent)).body.id);
  const seen: string[] = [];
  let path = `/v1/agents/${agent.id}/keys?limit=2`;
  for (;;) {
    const { body } = await server.ask('GET', path);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    if (body.next_cursor === null) break;
    path = `/v1/agents/${agent.id}/keys?limit=2&cursor=${body.next_cursor}`;
  }
  assert.deepEqual(seen, ids);
});

test('200 with revoked keys and when they were, even when the agent is suspended or closed', async () => {
  const agent = await anAgent();
  const { id } = (await register(server, agent)).body;
  const active = (await register(server, agent)).body;
  await server.ask('DELETE', `/v1/agents/${agent.id}/keys/${id}`, { token: agent.token });
  for (const status of ['active', 'suspended', 'closed'] as const) {
    await setPrincipalStatus(server, agent.id, status);
    const { items } = (await server.ask('GET', `/v1/agents/${agent.id}/keys`)).body;
    assert.deepEqual(items[0], active);
    assert.equal(items[1].id, id);
    assert.equal(items[1].status, 'revoked');
    assert.ok(Date.parse(items[1].revoked_at) >= Date.parse(items[1].created_at));
  }
});

test('404 not-found: no account has this id, or a person has it', async () => {
  const human = await server.register();
  for (const id of [human.id, newId(bucketOf(human.id))])
    assertProblem(await server.ask('GET', `/v1/agents/${id}/keys`), 'not-found');
});
