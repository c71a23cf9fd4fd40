// GET /v1/exports over HTTP: the exports of the caller and of the caller's agents.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent } from '#test/agents';
import { readyExport } from '#test/exports';
import { startServer } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (token: string, query = '') => server.ask('GET', `/v1/exports${query}`, { token });
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('200 newest first, in pages, with those of agents for their owner only', async () => {
  const [owner, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, owner);
  const first = await readyExport(server, owner);
  const second = await readyExport(server, owner, agent.id);
  const third = await readyExport(server, owner);
  assert.deepEqual((await list(owner.token)).body, {
    items: [third, second, first],
    next_cursor: null,
  });
  assert.deepEqual(ids((await list(agent.token)).body.items), [second.id]);
  assert.deepEqual((await list(other.token)).body.items, []);
  const page = (await list(owner.token, '?limit=2')).body;
  assert.deepEqual([ids(page.items), page.next_cursor], [[third.id, second.id], second.id]);
  const rest = (await list(owner.token, `?limit=2&cursor=${page.next_cursor}`)).body;
  assert.deepEqual([ids(rest.items), rest.next_cursor], [[first.id], null]);
  const reading = await server.tokenWith(owner, ['articles:read', 'comments:read']);
  assert.deepEqual(ids((await list(reading)).body.items), [third.id, first.id]);
});

test('403 insufficient-scope: without comments:read', async () => {
  const human = await server.register();
  assertMissingScope(await list(await server.tokenWith(human, ['articles:read'])), 'comments:read');
});
