// Follows of a closed account: none remain on either side, even during concurrent writes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import type { Delivered, PrincipalClosed } from '#outbox';
import { setPrincipalStatus } from '#test/accounts';
import { createAgent, storeFollow } from '#test/agents';
import { closeAccount } from '#test/closing';
import { assertProblem, startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { quiet } from '#test/throw-away-database';
import { forgetFollows } from './follows.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

function forget(id: string): Promise<void> {
  const message: Delivered<PrincipalClosed> = {
    id: newId(bucketOf(id)),
    bucket: bucketOf(id),
    type: 'principal.closed',
    payload: { principal_id: id, treatment: 'unpublish' },
    created_at: new Date().toISOString(),
  };
  return forgetFollows.run(message, { db: server.db, log: quiet, now: () => new Date() });
}

async function rowsOf(id: string): Promise<number> {
  const row = await server.db.first(sql<{ count: number }>`
    select (select count(*) from follows where ${id} in (follower_id, followee_id))
      + (select count(*) from followers where ${id} in (follower_id, followee_id)) as count`);
  return row?.count ?? -1;
}

test('follows of both directions go, more than a page of them, and others stay', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const people: Human[] = [];
  while (people.length < 110)
    people.push(...(await Promise.all(Array.from({ length: 10 }, () => server.register()))));
  for (const { id } of people) {
    await storeFollow(server, human.id, id);
    await storeFollow(server, id, human.id);
    await storeFollow(server, id, other.id);
  }
  assert.equal(await rowsOf(human.id), 4 * people.length);
  await setPrincipalStatus(server, human.id, 'closed');
  await forget(human.id);
  assert.equal(await rowsOf(human.id), 0);
  assert.equal(await rowsOf(other.id), 2 * people.length);
  await forget(human.id);
  const { body } = await server.ask('GET', `/v1/principals/${people[0]?.id ?? ''}`);
  assert.deepEqual([body.counts.following, body.counts.followers], [1, 0]);
});

test('follows of the agents of an account go with it, and no one follows them any more', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const agent = await createAgent(server, human);
  await storeFollow(server, agent.id, other.id);
  await storeFollow(server, other.id, agent.id);
  assert.equal((await closeAccount(server, human, 'pseudonymise')).status, 200);
  await forget(human.id);
  assert.equal(await rowsOf(agent.id), 0);
  const body = { principal_id: agent.id };
  assertProblem(await server.ask('POST', '/v1/follows', { token: other.token, body }), 'not-found');
  assert.equal(await rowsOf(agent.id), 0);
});

test('a follow that is under way while the account closes is there before, or refused', async () => {
  const [human, early, late] = [
    await server.register(),
    await server.register(),
    await server.register(),
  ];
  const follow = ({ token }: Human) =>
    server.ask('POST', '/v1/follows', { token, body: { principal_id: human.id } });
  await follow(early);
  // The early follower follows again and waits for the lock on its own row; the account is closed meanwhile.
  const locking = sql`
    select follow_id from follows
    where bucket = ${bucketOf(early.id)} and follower_id = ${early.id}
    for update`;
  const answers = await blockedByLock(server, locking, [() => follow(early)], () =>
    setPrincipalStatus(server, human.id, 'closed'),
  );
  assertProblem(answers[0] ?? assert.fail(), 'not-found');
  assertProblem(await follow(late), 'not-found');
  await forget(human.id);
  assert.equal(await rowsOf(human.id), 0);
});

test('the end of an account waits for a follow that has begun', async () => {
  const [human, follower] = [await server.register(), await server.register()];
  const locking = sql`
    insert into event_counters (bucket, principal_id, number, last_time)
    values (${bucketOf(human.id)}, ${human.id}, 0, '')`;
  const follow = () =>
    server.ask('POST', '/v1/follows', {
      token: follower.token,
      body: { principal_id: human.id },
    });
  let forgotten: Promise<void> | undefined;
  const [answer] = await blockedByLock(server, locking, [follow], async () => {
    await setPrincipalStatus(server, human.id, 'closed');
    forgotten = forget(human.id);
  });
  assert.equal(answer?.status, 201, 'it was there before');
  await forgotten;
  assert.equal(await rowsOf(human.id), 0);
});
