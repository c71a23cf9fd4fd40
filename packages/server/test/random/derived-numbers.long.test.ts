// Everybody does everything at once on two servers, and three leave: in the end all that is derived is what the rows say.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { quotaActions } from '@colophon/contract';
import pg from 'pg';
import { setTrustLevel } from '../accounts.ts';
import { untilSettled } from '../edges.ts';
import { effort } from '../effort.ts';
import { assertSame, rebuildDerived, snapshotOf } from '../derived-tables.ts';
import { checkInvariants } from '../faults/invariants.ts';
import type { TestServer } from '../harness.ts';
import { startLimitedServer } from '../limits-file.ts';
import { operate } from '../operator.ts';
import { serversVariable } from '../second-server.ts';
import { seed } from '../seed.ts';
import { until } from '../throw-away-database.ts';
import { leavesPublished, readLog } from '../transparency-log.ts';
import { moderate } from './moderating.ts';
import { checkReaders } from './readers.ts';
import { act, leave } from './steps.ts';
import { truths } from './truths.ts';
import { createWorld, laneOf } from './world.ts';
import type { Lane, Made, World } from './world.ts';

process.env[serversVariable] = '2';

const stepsEach = effort(14, 200);

/** What trust level 1 may do: so little that its end is met by several requests at once. */
const little: Readonly<Record<string, number>> = {
  'media.bytes': 2_000,
  'media.total_bytes': 1_000,
};

async function startTwo(): Promise<TestServer> {
  const plenty = 1_000_000_000;
  const quotas = Object.fromEntries(
    quotaActions.map((action) => [action, [plenty, little[action] ?? 5, plenty, plenty]]),
  );
  const rates = {
    reads_per_minute: plenty,
    writes_per_minute: plenty,
    registrations_per_hour: plenty,
    anonymous_reports_per_hour: plenty,
  };
  return startLimitedServer({ rates, quotas });
}

let server: TestServer;
let client: pg.Client;
let world: World;
before(async () => {
  server = await startTwo();
  assert.equal(server.addresses.length, 2);
  client = new pg.Client(server.services.connection);
  await client.connect();
  world = await createWorld(server);
  // The second person and the agent.
  await setTrustLevel(server, world.people[1]?.id ?? '', 1);
});
after(async () => {
  await client.end();
  await server[Symbol.asyncDispose]();
});

async function live(lane: Lane, step: (lane: Lane) => Promise<void>): Promise<void> {
  for (let n = 0; n < stepsEach; n += 1) await step(lane);
}

async function liveAndLeave(lane: Lane, treatment: string): Promise<void> {
  const at = stepsEach - 1 - lane.below(stepsEach / 3);
  for (let n = 0; n < stepsEach; n += 1) {
    if (n === at) await leave(lane, treatment);
    else await act(lane);
  }
}

function lanes(): readonly Promise<void>[] {
  let count = 0;
  const lane = (who: Lane['who']) => laneOf(world, who, seed + (count += 1));
  return [
    ...world.people.map((who) => live(lane(who), act)),
    ...world.moderators.map((who) => live(lane(who), moderate)),
    ...['erase', 'unpublish', 'pseudonymise'].map((treatment, at) =>
      liveAndLeave(lane(world.leavers[at] as Lane['who']), treatment),
    ),
  ];
}

async function untilQuiet(): Promise<void> {
  await untilSettled(server);
  await until('every leaf of the log has its number', async () => {
    const { rows } = await client.query('select from log_leaves where number is null');
    return rows.length === 0;
  });
  const { rows } = await client.query('select count(*)::int as leaves from log_leaves');
  await leavesPublished(server, rows[0].leaves);
}

async function checkTruths(): Promise<void> {
  const wrong: unknown[] = [];
  for (const [name, text] of Object.entries(truths)) {
    const { rows } = await client.query(text);
    if (rows.length > 0) wrong.push([name, rows.slice(0, 5)]);
  }
  assert.deepEqual(wrong, []);
}

/** Where each kind of what was made is: the ids that were answered are there, once, and nothing else is. */
const places: Readonly<Partial<Record<Made, string>>> = {
  articles: 'select id, author_id as by from articles',
  comments: 'select id, author_id as by from comments',
  media: 'select id, owner_principal_id as by from media',
};

async function checkMade(what: Made, text: string): Promise<void> {
  const { rows } = await client.query<{ id: string; owner_id: string }>(
    `select made.id, coalesce(p.owner_principal_id, p.id) as owner_id
     from (${text}) as made join principals p on p.id = made.by`,
  );
  for (const [name, { ids, unsure }] of world.made) {
    const [kind, ownerId] = name.split(' ');
    if (kind !== what) continue;
    const there = new Set(rows.filter((row) => row.owner_id === ownerId).map(({ id }) => id));
    assert.deepEqual([...ids.difference(there)], [], `${what} that are lost`);
    assert.ok(there.size <= ids.size + unsure, `${what} of ${ownerId}: ${there.size}, ${ids.size}`);
  }
}

/** Revisions that were published, of each owner. What readers see already is published again without a use. */
async function leastPublications(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ id: string; published: number }>(
    `select coalesce(p.owner_principal_id, p.id) as id, count(*)::int as published
     from revisions r
     join articles a on a.bucket = r.bucket and a.id = r.article_id
     join principals p on p.id = a.author_id
     where r.published_at is not null
     group by 1`,
  );
  return new Map(rows.map(({ id, published }) => [id, published]));
}

/**
 * What leaves no row behind that could be counted: as many uses as answers, or as are known to be needed. Closing an
 * account deletes its uses, and its agents may request an export after that.
 */
async function checkUses(
  what: Made,
  action: string,
  least?: ReadonlyMap<string, number>,
): Promise<void> {
  const { rows } = await client.query<{ id: string; used: number }>(
    `select q.principal_id as id, sum(q.used)::int as used
     from quota_uses q
     join principals p on p.id = q.principal_id
     where q.action = $1 and p.status <> 'closed'
     group by 1`,
    [action],
  );
  for (const { id, used } of rows) {
    const { ids, unsure } = world.made.get(`${what} ${id}`) ?? { ids: new Set(), unsure: 0 };
    const fewest = least === undefined ? ids.size : (least.get(id) ?? 0);
    assert.ok(
      used >= fewest && used <= ids.size + unsure,
      `${action} of ${id}: ${used}, ${ids.size}`,
    );
  }
}

test(`each does ${stepsEach} things at once, seed ${seed}`, { timeout: 900_000 }, async (t) => {
  await Promise.all(lanes());
  await untilQuiet();
  t.diagnostic(
    [...world.seen]
      .map(([what, times]) => `${what}: ${times}`)
      .toSorted()
      .join('\n'),
  );
  await checkTruths();
  // Of a world without agents: `truths` has it with them.
  await checkInvariants(client, ['I8']);
  for (const [what, text] of Object.entries(places)) await checkMade(what as Made, text);
  await checkUses('publications', 'articles.publish', await leastPublications());
  await checkUses('edges', 'edges.create');
  await checkUses('exports', 'exports.create');
  assert.equal((await operate(server, 'verify-audit')).code, 0);
  const { entries } = await readLog(server);
  const { rows } = await client.query('select count(*)::int as leaves from log_leaves');
  assert.equal(entries.length, rows[0].leaves);
  assert.ok((await checkReaders({ server, client }, world)) > 0);
  const { og_images: _, ...derived } = await snapshotOf(client);
  await rebuildDerived(server, false);
  const { og_images: __, ...rebuilt } = await snapshotOf(client);
  assertSame(derived, rebuilt);
});
