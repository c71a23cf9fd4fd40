// Trust levels: how they are earned, and the recurring job that sets them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ModerationAction } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf, newId } from '#lib/id';
import { setPrincipalStatus, setTrustLevel, storeAgent } from '#test/accounts';
import { storeAction } from '#test/appeals';
import { blockedByLock } from '#test/blocked-by-lock';
import { comment, moderate } from '#test/comments';
import { startServer } from '#test/harness';
import type { Human } from '#test/harness';
import { poisonRow } from '#test/poisoned-rows';
import { addsTrigger } from '#test/citus/one-server';
import { quiet } from '#test/throw-away-database';
import { raiseTrustLevels } from './service/earned-trust.ts';
import { trustLevelOf } from './rules/identity.ts';
import type { TrustFacts } from './rules/identity.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);

/**
 * Level, days, articles, comments, whether a report was upheld, the owner's level; and the resulting level.
 */
type Case = readonly [number, number, number, number, boolean, number | null, number];

const cases: readonly Case[] = [
  // New accounts, and what is missing for level 1.
  [0, 0, 0, 0, false, null, 0],
  [0, 6.999, 3, 20, false, null, 0],
  [0, 7, 2, 19, false, null, 0],
  [0, 400, 2, 19, false, null, 0],
  // Level 1 by articles or by comments.
  [0, 7, 3, 0, false, null, 1],
  [0, 7, 0, 20, false, null, 1],
  [0, 7, 300, 2_000, false, null, 1],
  // Level 2 takes ten times that after 60 days, also in one step from level 0.
  [1, 59.999, 30, 200, false, null, 1],
  [1, 60, 29, 199, false, null, 1],
  [1, 60, 30, 0, false, null, 2],
  [0, 60, 0, 200, false, null, 2],
  // An upheld report stops the rise and lowers nothing.
  [0, 400, 300, 2_000, true, null, 0],
  [1, 400, 300, 2_000, true, null, 1],
  // No level is lost, and level 3 is never earned.
  [2, 0, 0, 0, false, null, 2],
  [3, 0, 0, 0, false, null, 3],
  [2, 4_000, 9_999, 9_999, false, null, 2],
  // An agent stays at or below its owner, and is lowered to that level.
  [0, 60, 30, 0, false, 2, 2],
  [0, 60, 30, 0, false, 1, 1],
  [0, 60, 30, 0, false, 0, 0],
  [2, 60, 30, 0, false, 0, 0],
  [3, 0, 0, 0, false, 3, 3],
  [0, 0, 0, 0, false, 3, 0],
];

for (const [level, days, articles, comments, wasReported, ownerLevel, expected] of cases) {
  test(`level ${level}, ${days} days, ${articles} articles, ${comments} comments, ${wasReported ? 'reported' : 'not reported'}, owner ${ownerLevel}: ${expected}`, () => {
    const createdAt = daysAgo(days);
    const facts: TrustFacts = { level, createdAt, articles, comments, wasReported, ownerLevel };
    assert.equal(trustLevelOf(facts, now), expected);
  });
}

/** Without a pipeline, which raises levels each hour. */
const server = await startServer({ ROLE: 'web' });
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

async function humanOfAge(days: number, articles: number, human?: Human): Promise<Human> {
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
  const earned = await humanOfAge(8, 3);
  const veteran = await humanOfAge(61, 30);
  const young = await humanOfAge(6, 3);
  const idle = await humanOfAge(100, 2);
  const suspended = await humanOfAge(100, 3);
  await setPrincipalStatus(server, suspended.id, 'suspended');
  const hidden = await humanOfAge(100, 2);
  await server.published(hidden, { visibility: 'unlisted' });
  const agent = await humanOfAge(61, 30, await storeAgent(server, earned));
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

test('an account whose row refuses changes holds back no other bucket', addsTrigger, async () => {
  const group = ({ id }: Human) => Math.floor(bucketOf(id) / 16);
  const one = await humanOfAge(8, 3);
  let other = await humanOfAge(8, 3);
  while (group(other) === group(one)) other = await humanOfAge(8, 3);
  const [first, last] = group(one) < group(other) ? [one, other] : [other, one];
  {
    await using _poison = await poisonRow(server, 'principals', first.id);
    await assert.rejects(raise(), /poisoned/);
  }
  assert.deepEqual(await Promise.all([first, last].map(levelOf)), [0, 1]);
  await raise();
  assert.equal(await levelOf(first), 1);
});

test('an agent whose owner is lowered while levels are raised is not raised above its owner', async () => {
  const owner = await humanOfAge(1, 0);
  await setTrustLevel(server, owner.id, 1);
  const agent = await humanOfAge(8, 3, await storeAgent(server, owner));
  const lowering = sql`
    update principals
    set trust_level = 0
    where bucket = ${bucketOf(owner.id)} and id = ${owner.id}`;
  await blockedByLock(server, lowering, [raise]);
  assert.equal(await levelOf(owner), 0);
  assert.equal(await levelOf(agent), 0);
});

interface Upheld {
  readonly authorId: string;
  readonly ownerId?: string;
  readonly days?: number;
  readonly action?: ModerationAction;
  readonly reportId?: string | null;
  readonly lifted?: boolean;
  readonly appeal?: 'open' | 'upheld' | 'rejected';
}

/**
 * Inserts the action that a report on a comment led to; a comment is stored with its article, in any bucket.
 */
async function uphold({ days = 29, reportId = newId(9), ...input }: Upheld): Promise<void> {
  const { id } = await storeAction(server, {
    ...input,
    targetType: 'comment',
    targetId: newId(9),
    at: daysAgo(days),
  });
  await server.db.transaction((tx) =>
    tx.run(sql`
      update moderation_actions
      set report_id = ${reportId}, appeal_status = ${input.appeal ?? null}
      where bucket = ${bucketOf(id)} and id = ${id}`),
  );
}

for (const [what, input, stops] of [
  ['29 days ago', {}, true],
  ['31 days ago', { days: 31 }, false],
  ['without a report', { reportId: null }, false],
  ['taken back', { lifted: true }, false],
  ['a warning', { action: 'warn' }, true],
  ['a warning that an appeal took back', { action: 'warn', appeal: 'upheld' }, false],
  ['a warning, with an appeal that was turned down', { action: 'warn', appeal: 'rejected' }, true],
  ['a restoration', { action: 'restore' }, false],
] as const) {
  test(`a report that was upheld, ${what}: ${stops ? 'stops' : 'does not stop'} the rise`, async () => {
    const human = await humanOfAge(8, 3);
    await uphold({ authorId: human.id, ...input });
    await raise();
    assert.equal(await levelOf(human), stops ? 0 : 1);
  });
}

test('a report that was upheld on an agent stops the owner, who answers for it, and no other agent’s owner', async () => {
  const [owner, other] = [await humanOfAge(8, 3), await humanOfAge(8, 3)];
  const agent = await storeAgent(server, owner);
  await uphold({ authorId: agent.id, ownerId: owner.id });
  await raise();
  assert.deepEqual([await levelOf(owner), await levelOf(other)], [0, 1]);
});

test('a report takes no level that was earned before', async () => {
  const human = await humanOfAge(8, 3);
  await raise();
  await uphold({ authorId: human.id });
  await setAge(human.id, 100);
  await raise();
  assert.equal(await levelOf(human), 1);
});

test('only comments that everybody sees count, however many were written', async () => {
  const host = await server.register();
  const [listed, unlisted] = [
    await server.published(host),
    await server.published(host, { visibility: 'unlisted' }),
  ];
  const human = await server.register();
  const made = [];
  for (let n = 0; n < 19; n += 1) made.push(await comment(server, human, listed.id));
  await comment(server, human, unlisted.id);
  const lost = [await comment(server, human, listed.id), await comment(server, human, listed.id)];
  const [deleted = made[0], hidden = made[0]] = lost;
  await server.ask('DELETE', `/v1/comments/${deleted.id}`, { token: human.token });
  await moderate(server, hidden.id, { status: 'hidden' });
  await setAge(human.id, 8);
  await raise();
  assert.equal(await levelOf(human), 0);
  await moderate(server, hidden.id, { status: 'visible' });
  await raise();
  assert.equal(await levelOf(human), 1);
});

test('two processes at once raise everybody once', async () => {
  const earned = await Promise.all(Array.from({ length: 5 }, () => humanOfAge(8, 3)));
  const changed = await Promise.all([raise(), raise(), raise()]);
  assert.deepEqual(await Promise.all(earned.map(levelOf)), [1, 1, 1, 1, 1]);
  assert.ok(changed.reduce((sum, one) => sum + one) >= 5);
  await raise();
  assert.equal(await raise(), 0);
});

test('more candidates than fit one statement are all seen', async () => {
  const owner = await humanOfAge(8, 3);
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
