// GET /v1/principals/{id}/agents over HTTP: the public list of a person's agents.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { closeUnder, createAgent } from '#test/agents';
import { assertProblem, startServer } from '#test/harness';
import { assertGone } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (id: string, query = '') => server.ask('GET', `/v1/principals/${id}/agents${query}`);
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('200 with the agents of a person, newest first, page by page', async () => {
  const owner = await server.register();
  const [first, second] = [await createAgent(server, owner), await createAgent(server, owner)];
  const { body, headers } = await list(owner.id, '?limit=1');
  assert.deepEqual(ids(body.items), [second.id]);
  assert.equal(body.items[0].owner_principal_id, owner.id);
  assert.equal(
    headers.get('cache-control'),
    'public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=2',
  );
  const rest = await list(owner.id, `?cursor=${body.next_cursor as string}`);
  assert.deepEqual(ids(rest.body.items), [first.id]);
  assert.equal(rest.body.next_cursor, null);
});

test('200 empty for an agent', async () => {
  const agent = await createAgent(server, await server.register());
  assert.deepEqual((await list(agent.id)).body.items, []);
});

test('200 without agents that were closed', async () => {
  const owner = await server.register();
  const [kept, closed] = [await createAgent(server, owner), await createAgent(server, owner)];
  await closeUnder(server, closed.id, closed.username);
  assert.deepEqual(ids((await list(owner.id)).body.items), [kept.id]);
});

test('404 not-found: no account has this id', async () => {
  assertProblem(await list(newId(5)), 'not-found');
});

test('410 gone: a closed account', async () => {
  const human = await server.register();
  await createAgent(server, human);
  await closeUnder(server, human.id, human.username);
  assertGone(await list(human.id));
});
