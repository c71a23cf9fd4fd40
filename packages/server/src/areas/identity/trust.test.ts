// Trust levels: what earns them, and the recurring work that gives them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { setPrincipalStatus, setTrustLevel, storeAgent } from '#test/accounts';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { quiet } from '#test/throw-away-database';
import { raiseTrustLevels } from './reactions.ts';
import { trustLevelOf } from './rules.ts';
import type { TrustFacts } from './rules.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);

/** Level, days, articles, comments, upheld reports, the owner's level; and what follows. */
type Case = readonly [number, number, number, number, number, number | null, number];

const cases: readonly Case[] = [
  // New, and what is missing for level 1.
  [0, 0, 0, 0, 0, null, 0],
  [0, 6.999, 3, 20, 0, null, 0],
  [0, 7, 2, 19, 0, null, 0],
  [0, 400, 2, 19, 0, null, 0],
  // Level 1 by articles or by comments.
  [0, 7, 3, 0, 0, null, 1],
  [0, 7, 0, 20, 0, null, 1],
  [0, 7, 300, 2_000, 0, null, 1],
  // Level 2 is ten times that after 60 days, also at one go.
  [1, 59.999, 30, 200, 0, null, 1],
  [1, 60, 29, 199, 0, null, 1],
  [1, 60, 30, 0, 0, null, 2],
  [0, 60, 0, 200, 0, null, 2],
  // An upheld report stops the rise and takes nothing away.
  [0, 400, 300, 2_000, 1, null, 0],
  [1, 400, 300, 2_000, 1, null, 1],
  // Nothing is lost, and level 3 is never earned.
  [2, 0, 0, 0, 0, null, 2],
  [3, 0, 0, 0, 0, null, 3],
  [2, 4_000, 9_999, 9_999, 0, null, 2],
  // An agent stays at or below its owner, and comes down to it.
  [0, 60, 30, 0, 0, 2, 2],
  [0, 60, 30, 0, 0, 1, 1],
  [0, 60, 30, 0, 0, 0, 0],
  [2, 60, 30, 0, 0, 0, 0],
  [3, 0, 0, 0, 0, 3, 3],
  [0, 0, 0, 0, 0, 3, 0],
];

for (const [level, days, articles, comments, upheldReports, ownerLevel, expected] of cases) {
  test(`level ${level}, ${days} days, ${articles} articles, ${comments} comments, ${upheldReports} upheld, owner ${ownerLevel}: ${expected}`, () => {
    const createdAt = daysAgo(days);
    const facts: TrustFacts = { level, createdAt, articles, comments, upheldReports, ownerLevel };
    assert.equal(trustLevelOf(facts, now), expected);
  });
}

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

const raise = () => raiseTrustLevels({ db: server.db, log: quiet, now: () => now });

async function setAge(id: string, days: number): Promise<void> {
  await server.db.transaction((tx) =>
    tx.run(sql`
      update principals
      set created_at = ${daysAgo(days).toISOString()}
      where bucket = ${bucketOf(id)} and id = ${id}`),
  );
}

async function aged(days: number, articles: number, human?: Human): Promise<Human> {
  const one = human ?? (await server.register());
  for (let n = 0; n < articles; n += 1) await server.published(one);
  await setAge(one.id, days);
  return one;
}

async function levelOf({ id }: Human): Promise<number | undefined> {
  const row = await server.db.first(sql<{ trust_level: number }>`
    select trust_level
    from principals
    where bucket = ${bucketOf(id)} and id = ${id}`);
  return row?.trust_level;
}

test('the recurring work raises who earned it, leaves the rest, and does nothing the second time', async () => {
  const earned = await aged(8, 3);
  const veteran = await aged(61, 30);
  const young = await aged(6, 3);
  const idle = await aged(100, 2);
  const suspended = await aged(100, 3);
  await setPrincipalStatus(server, suspended.id, 'suspended');
  const hidden = await aged(100, 2);
  await server.published(hidden, { visibility: 'private' });
  const agent = await aged(61, 30, await storeAgent(server, earned));
  assert.equal(await raise(), 3 - 1);
  assert.deepEqual(
    await Promise.all([earned, veteran, young, idle, suspended, hidden, agent].map(levelOf)),
    [1, 2, 0, 0, 0, 0, 0],
  );
  assert.equal(await raise(), 1, 'the agent follows its owner');
  assert.equal(await levelOf(agent), 1);
  assert.equal(await raise(), 0);
  await setTrustLevel(server, earned.id, 0);
  assert.equal(await raise(), 2, 'the owner rises again, the agent comes down');
  assert.equal(await levelOf(agent), 0);
});

test('two processes at once raise everybody once', async () => {
  const earned = await Promise.all(Array.from({ length: 5 }, () => aged(8, 3)));
  const changed = await Promise.all([raise(), raise(), raise()]);
  assert.deepEqual(await Promise.all(earned.map(levelOf)), [1, 1, 1, 1, 1]);
  assert.ok(changed.reduce((sum, one) => sum + one) >= 5);
  await raise();
  assert.equal(await raise(), 0);
});

test('more candidates than fit one statement are all seen', async () => {
  const owner = await aged(8, 3);
  const { bucket } = { bucket: bucketOf(owner.id) };
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into principals (bucket, id, kind, username, owner_principal_id, trust_level, created_at)
      select ${bucket}, lpad(n::text, 26, '0'), 'agent', 'a' || n, ${owner.id}, 2, now()
      from generate_series(1, 1200) as n`),
  );
  assert.equal(await raise(), 1_201);
  const row = await server.db.first(sql<{ above: number }>`
    select count(*)::integer as above
    from principals
    where bucket = ${bucket} and owner_principal_id = ${owner.id} and trust_level > 0`);
  assert.equal(row?.above, 0);
});
