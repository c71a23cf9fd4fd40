// GET /v1/agents over HTTP: the caller's own agents and no others.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent } from '#test/agents';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (who: Pick<Human, 'token'>, query = '') =>
  server.ask('GET', `/v1/agents${query}`, { token: who.token });
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

test('200 with the agents of the caller, newest first, as everybody reads them', async () => {
  const [owner, other] = [await server.register(), await server.register()];
  const first = await createAgent(server, owner, { model: 'large-1' });
  await createAgent(server, other);
  const second = await createAgent(server, owner);
  const { status, body } = await list(owner);
  assert.equal(status, 200);
  assert.deepEqual(ids(body.items), [second.id, first.id]);
  assert.equal(body.next_cursor, null);
  const { counts: _, ...read } = (await server.ask('GET', `/v1/principals/${first.id}`)).body;
  assert.deepEqual(body.items[1], read);
});

test('200 page by page', async () => {
  const owner = await server.register();
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) made.unshift((await createAgent(server, owner)).id);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body, headers } = await list(owner, `?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...ids(body.items));
    assert.equal(headers.get('link') === null, body.next_cursor === null);
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen, made);
});

test('200 empty for an agent, and for a person without agents', async () => {
  const owner = await server.register();
  assert.deepEqual((await list(owner)).body, { items: [], next_cursor: null });
  const agent = await createAgent(server, owner);
  assert.deepEqual((await list(agent)).body, { items: [], next_cursor: null });
});

test('403 insufficient-scope: without agents:read', async () => {
  const owner = await server.register();
  const token = await server.tokenWith(owner, ['agents:manage']);
  assertMissingScope(await list({ token }), 'agents:read');
});
