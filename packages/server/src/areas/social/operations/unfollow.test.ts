// DELETE /v1/follows/{followeeId} over HTTP, and concurrent follows and unfollows at full speed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { newId } from '#lib/id';
import { setPrincipalStatus, storeToken } from '#test/accounts';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { assertMissingScope } from '#test/problem-checks';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const follow = (human: Human, id: string) =>
  server.ask('POST', '/v1/follows', { token: human.token, body: { principal_id: id } });
const unfollow = (human: Human, id: string) =>
  server.ask('DELETE', `/v1/follows/${id}`, { token: human.token });

test('204 and both sides forget it; 201 when one follows again', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await follow(one, other.id);
  assert.equal((await unfollow(one, other.id)).status, 204);
  const { body } = await server.ask('GET', `/v1/principals/${other.id}/followers`);
  assert.deepEqual(body.items, []);
  const home = await server.ask('GET', `/v1/principals/${one.id}/following`);
  assert.deepEqual(home.body.items, []);
  assert.equal((await follow(one, other.id)).status, 201);
});

test('204 when the followed is suspended', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await follow(one, other.id);
  await setPrincipalStatus(server, other.id, 'suspended');
  assert.equal((await unfollow(one, other.id)).status, 204);
});

test('403 insufficient-scope without follows:write', async () => {
  const one = await server.register();
  const token = await storeToken(server, one.id, ['events:read']);
  assertMissingScope(await unfollow({ ...one, token }, newId(1)), 'follows:write');
});

test('403 forbidden for the suspended', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await follow(one, other.id);
  await setPrincipalStatus(server, one.id, 'suspended');
  assertProblem(await unfollow(one, other.id), 'forbidden');
});

test('404 not-found: not followed, not followed any more, an unknown id, the caller, and the other way round', async () => {
  const [one, other] = [await server.register(), await server.register()];
  assertProblem(await unfollow(one, other.id), 'not-found');
  await follow(one, other.id);
  assertProblem(await unfollow(other, one.id), 'not-found');
  await unfollow(one, other.id);
  for (const id of [other.id, newId(9), one.id])
    assertProblem(await unfollow(one, id), 'not-found');
});

test('204 for one of ten at once, 404 for nine', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await follow(one, other.id);
  const answers = await Promise.all(Array.from({ length: 10 }, () => unfollow(one, other.id)));
  assert.equal(answers.filter(({ status }) => status === 204).length, 1);
  for (const answer of answers) if (answer.status !== 204) assertProblem(answer, 'not-found');
});

test(
  '200, 201, 204 or 404, never an error or a deadlock, while two follow and leave each other at full speed',
  { timeout: 900_000 },
  async (t) => {
    const [one, other] = [await server.register(), await server.register()];
    const deadlocks = async () => {
      const row = await server.db.first(sql<{ count: number }>`
        select deadlocks as count from pg_stat_database where datname = current_database()`);
      return row?.count ?? -1;
    };
    const before = await deadlocks();
    const seen = new Map<number, number>();
    // Sessions report their deadlocks once a second.
    const end = performance.now() + 3_000;
    const lanes = Array.from({ length: 12 }, async (_, lane) => {
      const [me, you] = lane % 2 === 0 ? [one, other] : [other, one];
      while (performance.now() < end) {
        const { status } = await (Math.random() < 0.5 ? follow(me, you.id) : unfollow(me, you.id));
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    });
    await Promise.all(lanes);
    assert.deepEqual(
      [...seen.keys()].filter((status) => ![200, 201, 204, 404].includes(status)),
      [],
    );
    const follows = await server.db.rows(sql`
      select follower_id, followee_id, follow_id from follows order by follow_id`);
    const followers = await server.db.rows(sql`
      select follower_id, followee_id, follow_id from followers order by follow_id`);
    assert.deepEqual(follows, followers, 'both rows agree');
    const events = await server.db.first(sql<{ count: number }>`
      select count(*) as count from events where principal_id in (${one.id}, ${other.id})`);
    assert.equal(events?.count, seen.get(201), 'one event for each new follow');
    assert.equal(await deadlocks(), before);
    t.diagnostic(`answers: ${JSON.stringify(Object.fromEntries(seen))}`);
  },
);
