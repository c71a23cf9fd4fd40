// The two lists of follows, which differ in the direction only: the same tests for both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { closeUnder, createAgent, storeFollow } from './agents.ts';
import { assertProblem } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { assertGone } from './problem-checks.ts';

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

export function testFollowList(server: TestServer, which: 'followers' | 'following'): void {
  const list = (id: string, query = '') =>
    server.ask('GET', `/v1/principals/${id}/${which}${query}`);
  const relate = (id: string, other: Human) =>
    which === 'followers' ? storeFollow(server, other.id, id) : storeFollow(server, id, other.id);
  const pseudonym = `closed-${which}`;

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
    await closeUnder(server, renamed.id, pseudonym);
    const { body } = await list(id);
    assert.deepEqual(
      body.items.map(({ username }: { username: string }) => username),
      [pseudonym],
    );
  });

  test('200 shows the de-indexed to the account itself only', async () => {
    const human = await server.register();
    const other = await server.register();
    await relate(human.id, other);
    await server.db.transaction((tx) =>
      tx.run(sql`
        update principals set deindexed = true
        where bucket = ${bucketOf(other.id)} and id = ${other.id}`),
    );
    const path = `/v1/principals/${human.id}/${which}`;
    const own = await server.ask('GET', path, { token: human.token });
    assert.deepEqual(ids(own.body.items), [other.id]);
    assert.doesNotMatch(own.headers.get('cache-control') ?? '', /public/);
    const others = await server.ask('GET', path, { token: other.token });
    assert.deepEqual(ids(others.body.items), []);
    assert.deepEqual(ids((await list(human.id)).body.items), []);
  });

  test('404 not-found: no account has this id', async () => {
    assertProblem(await list(newId(5)), 'not-found');
  });

  test('410 gone: a closed account', async () => {
    const human = await server.register();
    await closeUnder(server, human.id, human.username);
    assertGone(await list(human.id));
  });
}
