// Appending events: numbers without gaps, ids in the same order, and no deadlocks.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#database';
import { bucketOf, isId } from '#lib/id';
import { timeOf } from '#test/ids';
import { setPrincipalStatus } from '#test/accounts';
import { createAgent } from '#test/agents';
import { startServer } from '#test/harness';
import { blockedByLock } from '#test/blocked-by-lock';
import { eventTo, appendEvents } from '#test/event-rows';
import { appendEvent } from './append-event.ts';
import { newestIdOfFound } from './queries.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

interface Written {
  readonly id: string;
  readonly number: number;
  readonly mark: unknown;
}

function eventsOf(id: string): Promise<readonly Written[]> {
  return server.db.rows(sql<Written>`
    select id, number, payload->'mark' as mark
    from events
    where bucket = ${bucketOf(id)} and principal_id = ${id}
    order by id`);
}

test('numbers are 1…n in the order of the ids, which are ids of the recipient’s bucket', async () => {
  const { id } = await server.register();
  const now = new Date();
  for (let mark = 1; mark <= 20; mark += 1) await appendEvents(server.db, [id], mark, now);
  const events = await eventsOf(id);
  assert.deepEqual(
    events.map(({ number, mark }) => [number, mark]),
    Array.from({ length: 20 }, (_, index) => [index + 1, index + 1]),
  );
  for (const event of events) {
    assert.ok(isId(event.id), event.id);
    assert.equal(bucketOf(event.id), bucketOf(id));
    assert.equal(timeOf(event.id), now.getTime());
  }
});

test('several in one transaction keep their order, for each recipient', async () => {
  const [one, other] = [await server.register(), await server.register()];
  await server.db.transaction(async (tx) => {
    const marks = [1, 2, 3].flatMap((mark) => [eventTo(other.id, mark), eventTo(one.id, mark)]);
    appendEvent(tx, marks, new Date());
  });
  for (const { id } of [one, other])
    assert.deepEqual(
      (await eventsOf(id)).map(({ number, mark }) => [number, mark]),
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    );
});

test('ids ascend although clocks go back, or stand still for hundreds of events', async () => {
  const { id } = await server.register();
  const now = Date.now();
  for (const back of [0, 60_000, 3_600_000, 1, 0])
    await appendEvents(server.db, [id], back, new Date(now - back));
  await server.db.transaction(async (tx) =>
    appendEvent(
      tx,
      Array.from({ length: 300 }, (_, mark) => eventTo(id, mark)),
      new Date(now - 5),
    ),
  );
  const events = await eventsOf(id);
  assert.deepEqual(
    events.map(({ number }) => number),
    Array.from({ length: 305 }, (_, index) => index + 1),
  );
  assert.ok(events.every((event) => timeOf(event.id) === now));
});

test('the counter says the id of the newest event, whatever clocks do', async () => {
  const { id } = await server.register();
  const newest = async () => {
    const row = await server.db.first(sql<{ newest: string | null }>`
      select (${newestIdOfFound(bucketOf(id))}) as newest
      from (select ${id}::text as id) as found`);
    return row?.newest;
  };
  assert.equal(await newest(), null);
  const now = Date.now();
  for (const back of [0, 60_000, 0, 3_600_000, -1]) {
    await appendEvents(server.db, [id], back, new Date(now - back));
    await server.db.transaction(async (tx) =>
      appendEvent(
        tx,
        Array.from({ length: 20 }, (_, mark) => eventTo(id, mark)),
        new Date(now - back),
      ),
    );
    assert.equal(await newest(), (await eventsOf(id)).at(-1)?.id);
  }
});

test('what is taken back leaves no gap', async () => {
  const { id } = await server.register();
  await appendEvents(server.db, [id], 1);
  const broken = server.db.transaction(async (tx) => {
    appendEvent(tx, [eventTo(id, 'never')], new Date());
    await tx.rows(sql`select 1 / 0`);
  });
  await assert.rejects(broken, /division by zero/);
  await server.db.transaction(async (tx) => appendEvent(tx, [eventTo(id, 'tried')], new Date()), {
    rollback: true,
  });
  await appendEvents(server.db, [id], 2);
  assert.deepEqual(
    (await eventsOf(id)).map(({ number, mark }) => [number, mark]),
    [
      [1, 1],
      [2, 2],
    ],
  );
});

test('no one is notified of their own acts, and closed and unknown accounts get no events', async () => {
  const [human, closed] = [await server.register(), await server.register()];
  await setPrincipalStatus(server, closed.id, 'closed');
  await server.db.transaction(async (tx) =>
    appendEvent(tx, [{ ...eventTo(human.id), actorId: human.id }], new Date()),
  );
  await appendEvents(server.db, [
    closed.id,
    `${human.id.slice(0, 10)}0000000000000${human.id.slice(23)}`,
  ]);
  assert.deepEqual(await eventsOf(human.id), []);
  assert.deepEqual(await eventsOf(closed.id), []);
  const counters = await server.db.rows(sql`
    select principal_id from event_counters where principal_id in (${human.id}, ${closed.id})`);
  assert.deepEqual(counters, []);
});

test('a key or a token of an agent is told to the agent and to its owner', async () => {
  const owner = await server.register();
  const agent = await createAgent(server, owner);
  const body = { principal_id: agent.id, name: 'its own' };
  await server.ask('POST', '/v1/tokens', { token: agent.token, key: true, body });
  assert.equal((await eventsOf(agent.id)).length, 1, 'the owner’s issue');
  assert.equal((await eventsOf(owner.id)).length, 1, 'the agent’s issue');
});

test('a second writer waits for the first and comes after it, whatever its clock says', async () => {
  const [human, follower] = [await server.register(), await server.register()];
  await appendEvents(server.db, [human.id], 'before');
  const locking = sql`
    update event_counters set number = number
    where bucket = ${bucketOf(human.id)} and principal_id = ${human.id}`;
  const follow = () =>
    server.ask('POST', '/v1/follows', {
      token: follower.token,
      body: { principal_id: human.id },
    });
  const [answer] = await blockedByLock(server, locking, [follow], async () => {
    assert.equal((await eventsOf(human.id)).length, 1, 'nothing is seen before its turn');
  });
  assert.equal(answer?.status, 201);
  assert.deepEqual(
    (await eventsOf(human.id)).map(({ number }) => number),
    [1, 2],
  );
});

test(
  'no deadlock among 12 writers who tell recipients in any order, and no gap',
  { timeout: 900_000 },
  async (t) => {
    const people = await Promise.all(Array.from({ length: 12 }, () => server.register()));
    const ids = people.map(({ id }) => id);
    let transactions = 0;
    const end = performance.now() + 3_000;
    const lanes = Array.from({ length: 12 }, async () => {
      while (performance.now() < end) {
        const some = ids.toSorted(() => Math.random() - 0.5).slice(0, 4);
        await server.db.transaction(async (tx) => {
          transactions += 1;
          appendEvent(
            tx,
            some.map((id) => eventTo(id, transactions)),
            new Date(Date.now() - Math.random() * 1_000),
          );
        });
      }
    });
    await Promise.all(lanes);
    const [sums] = await server.db.rows(sql<{ written: number; gaps: number; unordered: number }>`
      select count(*) as written,
        count(*) filter (where number <> place) as gaps,
        count(*) filter (where id <= before) as unordered
      from (
        select id, number,
          row_number() over (partition by principal_id order by id) as place,
          lag(id) over (partition by principal_id order by number) as before
        from events
        where principal_id = any(${ids})
      ) as placed`);
    // A transaction with a deadlock would have been retried, and counted twice.
    assert.deepEqual(sums, { written: transactions * 4, gaps: 0, unordered: 0 });
    t.diagnostic(`${transactions} transactions of 4 events in 3 s`);
  },
);
