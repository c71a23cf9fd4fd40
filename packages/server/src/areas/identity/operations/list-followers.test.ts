// GET /v1/principals/{id}/followers over HTTP: who follows a principal.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '#lib/id';
import { closeUnder, createAgent, storeFollow } from '#test/agents';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertGone } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const list = (id: string, query = '') =>
  server.ask('GET', `/v1/principals/${id}/followers${query}`);
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
const relate = (id: string, other: Human) => storeFollow(server, other.id, id);

test('200 empty at first', async () => {
  const { id } = await server.register();
  const { status, body } = await list(id);
  assert.equal(status, 200);
  assert.deepEqual(body, { items: [], next_cursor: null });
});

test('200 with people and agents from anywhere, the newest follow first, page by page', async () => {
  const { id } = await server.register();
  const [ada, bea] = [await server.register(), await server.register()];
  const agent = await createAgent(server, ada);
  for (const other of [bea, ada, agent]) await relate(id, other);
  await storeFollow(server, ada.id, bea.id);
  const first = await list(id, '?limit=2');
  assert.deepEqual(ids(first.body.items), [agent.id, ada.id]);
  assert.equal(first.body.items[0].kind, 'agent');
  assert.equal(first.body.items[1].username, ada.username);
  assert.match(first.headers.get('link') ?? '', /rel="next"/);
  const rest = await list(id, `?limit=2&cursor=${first.body.next_cursor as string}`);
  assert.deepEqual(ids(rest.body.items), [bea.id]);
  assert.equal(rest.body.next_cursor, null);
});

test('200 leaves out the closed, and shows those who stayed under a pseudonym', async () => {
  const { id } = await server.register();
  const [gone, renamed] = [await server.register(), await server.register()];
  await relate(id, gone);
  await relate(id, renamed);
  await closeUnder(server, gone.id, gone.username);
  await closeUnder(server, renamed.id, 'closed-followers');
  const { body } = await list(id);
  assert.deepEqual(
    body.items.map(({ username }: { username: string }) => username),
    ['closed-followers'],
  );
});

test('404 not-found: nobody has this id', async () => {
  assertProblem(await list(newId(5)), 'not-found');
});

test('410 gone: a closed account', async () => {
  const human = await server.register();
  await closeUnder(server, human.id, human.username);
  assertGone(await list(human.id));
});
