// The pipeline on a real PostgreSQL: delivery of messages, and its speed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#lib/id';
import { effort } from '#test/effort';
import { jobs, open, subscriber, say, countWaiting } from '#test/pipeline';
import { migratedClone } from '#test/migrated-clone';
import { quiet, until } from '#test/throw-away-database';
import { appendMessage, appendStatement, lag, startRelayWakeup } from './index.ts';
import type { ArticleChanged, Delivered, Subscriber } from './index.ts';
import { openDedicatedConnection } from './dedicated-connection.ts';
import type { DedicatedConnection } from './dedicated-connection.ts';
import { moveBatch, routesOf } from './relay.ts';

const rounds = effort(8, 25);
const wakes = effort(11, 41);

/** Moves batches until none are left, as a relay would, without a worker. */
async function moveAll(
  link: DedicatedConnection,
  subscribers: readonly Subscriber[],
): Promise<number> {
  let moved = 0;
  await until('the link is open', () => link.alone(async () => true).catch(() => false));
  for (let batch: number | 'busy' = -1; batch !== 0;) {
    const { sharded } = link;
    batch = await link.alone((ask) => moveBatch(ask, routesOf(subscribers), { sharded }));
    if (typeof batch === 'number') moved += batch;
  }
  return moved;
}

/**
 * Asserts that the relay was woken and did not find the messages by polling, which it does once a second:
 * after each message found by polling, the next would take more than 900 ms. Busy machines are slow, but
 * not each time.
 */
function assertWoken(sorted: readonly number[]): void {
  const [quickest = Infinity] = sorted;
  assert.ok(quickest < 800, `quickest ${quickest} ms`);
}

test('a message reaches its subscriber with its row, once woken', async () => {
  await using clone = await migratedClone();
  const seen: Delivered[] = [];
  await using outbox = open(clone, [subscriber('see', (message) => void seen.push(message))]);
  const article_id = newId(77);
  await clone.db.transaction(async (tx) => {
    await tx.run(
      appendStatement(
        { bucket: 77, type: 'article.changed', payload: { article_id } },
        new Date('2026-01-02T03:04:05.678Z'),
      ),
    );
  });
  outbox.wake();
  await until('the message is seen', () => seen.length > 0);
  const [message] = seen;
  assert.match(message?.id ?? '', /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assert.deepEqual(
    { ...message, id: '' },
    {
      id: '',
      bucket: 77,
      type: 'article.changed',
      payload: { article_id },
      created_at: '2026-01-02T03:04:05.678Z',
    },
  );
  await until('the job is gone', async () => (await jobs(clone)) === 0);
  assert.deepEqual(await lag(clone.db), { waiting: 0, oldest_seconds: null });
});

test('a message whose transaction is undone is never delivered', async () => {
  await using clone = await migratedClone();
  const seen: string[] = [];
  await using outbox = open(clone, [
    subscriber('see', ({ payload }) => void seen.push(payload.article_id)),
  ]);
  const undone = clone.db.transaction(async (tx) => {
    await appendMessage(tx, {
      bucket: 1,
      type: 'article.changed',
      payload: { article_id: 'undone' },
    });
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  const [said] = await say(clone);
  outbox.wake();
  await until('the other message is seen', () => seen.length > 0);
  assert.deepEqual(seen, [said]);
});

test('a row with an earlier id that commits later is not passed over', async () => {
  await using clone = await migratedClone();
  const seen: string[] = [];
  await using outbox = open(clone, [
    subscriber('see', ({ payload }) => void seen.push(payload.article_id)),
  ]);
  const gate = Promise.withResolvers<void>();
  const inserted = Promise.withResolvers<void>();
  const early = clone.db.transaction(async (tx) => {
    await appendMessage(tx, {
      bucket: 0,
      type: 'article.changed',
      payload: { article_id: 'early' },
    });
    inserted.resolve();
    await gate.promise;
  });
  await inserted.promise;
  const [late] = await say(clone);
  outbox.wake();
  await until('the later id is seen', () => seen.length === 1);
  gate.resolve();
  await early;
  outbox.wake();
  await until('the earlier id is seen', () => seen.length === 2);
  assert.deepEqual(seen, [late, 'early']);
});

test('two relays at once hand each message over once, however they take them', async () => {
  await using clone = await migratedClone();
  const subscribers = [subscriber('see', () => undefined)];
  const said = await say(clone, 1_300);
  const sharded = { ...clone.connection, sharded: true };
  await using one = openDedicatedConnection({ connection: clone.connection, log: quiet });
  await using two = openDedicatedConnection({ connection: sharded, log: quiet });
  const moved = await Promise.all([moveAll(one, subscribers), moveAll(two, subscribers)]);
  assert.equal(moved[0] + moved[1], said.length);
  assert.equal(await countWaiting(clone), 0);
  const handed = await clone.ask<{ article: string }>(
    "select payload -> 'payload' ->> 'article_id' as article from graphile_worker._private_jobs",
  );
  assert.deepEqual(handed.map((row) => row.article).toSorted(), said.toSorted());
});

test('while another relay holds the lease nothing is moved, and afterwards everything', async () => {
  await using clone = await migratedClone();
  const subscribers = [subscriber('see', () => undefined)];
  await using one = openDedicatedConnection({ connection: clone.connection, log: quiet });
  await using two = openDedicatedConnection({ connection: clone.connection, log: quiet });
  await moveAll(one, subscribers);
  await moveAll(two, subscribers);
  await say(clone);
  await clone.db.transaction(async (tx) => {
    await tx.run({
      name: 'lease',
      text: 'select pg_advisory_xact_lock(1129270351, 2)',
      values: [],
    });
    assert.equal(await two.alone((ask) => moveBatch(ask, routesOf(subscribers))), 'busy');
  });
  assert.equal(await moveAll(two, subscribers), 1);
});

test('a message of a type without a subscriber stays for a newer process', async () => {
  await using clone = await migratedClone();
  const seen: string[] = [];
  await using outbox = open(clone, [
    subscriber('see', ({ payload }) => void seen.push(payload.article_id)),
  ]);
  await clone.ask(
    "insert into outbox (bucket, id, type, payload, created_at) values (0, '0', 'planet.moved', '{}', now() - interval '1 hour')",
  );
  await say(clone);
  outbox.wake();
  await until('the known one is seen', () => seen.length === 1);
  assert.equal(await countWaiting(clone), 1);
  const { oldest_seconds } = await lag(clone.db);
  assert.ok(oldest_seconds !== null && oldest_seconds >= 3_600 && oldest_seconds < 7_200);
});

test('a hint from another connection wakes the relay within about 100 ms; 200 hints are few NOTIFYs', async (t) => {
  await using clone = await migratedClone();
  const started = new Map<string, number>();
  await using _outbox = open(clone, [
    subscriber('see', ({ payload }) => void started.set(payload.article_id, performance.now())),
  ]);
  await using hints = startRelayWakeup({ connection: clone.connection, log: quiet });
  await using listener = openDedicatedConnection({
    connection: clone.connection,
    log: quiet,
    opened: async (ask) =>
      void (await ask({ name: 'l', text: 'listen colophon_outbox', values: [] })),
    notified: () => void (notified += 1),
  });
  let notified = 0;
  await until('the listener listens', () => listener.alone(async () => true).catch(() => false));
  await until('a hint arrives', () => (hints.hint(), notified > 1));
  const delays: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    const since = performance.now();
    await until('the throttle is past', () => performance.now() - since > 60);
    const [id = ''] = await say(clone);
    const committed = performance.now();
    hints.hint();
    await until('it starts', () => started.has(id));
    delays.push((started.get(id) ?? 0) - committed);
  }
  const sorted = delays.toSorted((a, b) => a - b);
  t.diagnostic(`commit to start by NOTIFY: median ${sorted[5]?.toFixed(1)} ms`);
  assertWoken(sorted);
  const before = notified;
  const since = performance.now();
  for (let hint = 0; hint < 200; hint += 1) {
    hints.hint();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until('the last hint arrived', () => notified > before);
  assert.ok(
    notified - before <= (performance.now() - since) / 50 + 2,
    `${notified - before} NOTIFYs`,
  );
});

test('a message that a subscriber appends is handed over at once, like one of a request', async () => {
  await using clone = await migratedClone();
  const delays: number[] = [];
  let said = 0;
  const chain: Subscriber<ArticleChanged> = {
    type: 'article.changed',
    name: 'tell',
    run: async ({ bucket, payload }, { db }) => {
      if (said > 0) delays.push(performance.now() - said);
      await db.transaction(async (tx) => {
        const next = { article_id: `${payload.article_id}x` };
        if (delays.length < 10) void appendMessage(tx, { bucket, type: chain.type, payload: next });
      });
      said = performance.now();
    },
  };
  await using outbox = open(clone, [chain]);
  await say(clone);
  outbox.wake();
  await until('ten have followed', () => delays.length === 10);
  // The first may arrive just before the relay polls.
  assertWoken(delays.slice(1).toSorted((a, b) => a - b));
});

test(`${rounds * 80} messages in ${rounds * 8} transactions are each done once; the figures`, async (t) => {
  await using clone = await migratedClone();
  const runs = new Map<string, number>();
  await using outbox = open(clone, [
    subscriber(
      'see',
      ({ payload }) => void runs.set(payload.article_id, (runs.get(payload.article_id) ?? 0) + 1),
    ),
  ]);
  await say(clone);
  outbox.wake();
  await until('the pipeline is warm', () => runs.size === 1);
  const begin = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: 8 }, () => say(clone, 10).then(outbox.wake)));
  }
  const written = performance.now();
  await until('all are done', () => runs.size === rounds * 80 + 1);
  const done = performance.now();
  await until('no job is left', async () => (await jobs(clone)) === 0);
  assert.deepEqual([...new Set(runs.values())], [1]);
  assert.equal(await countWaiting(clone), 0);
  t.diagnostic(
    `written in ${(written - begin).toFixed(0)} ms, done ${(done - written).toFixed(0)} ms later`,
  );
});

test('from commit to start takes milliseconds in the process that wrote', async (t) => {
  await using clone = await migratedClone();
  const started = new Map<string, number>();
  await using outbox = open(clone, [
    subscriber('see', ({ payload }) => void started.set(payload.article_id, performance.now())),
  ]);
  const delays: number[] = [];
  for (let round = 0; round < wakes; round += 1) {
    const since = performance.now();
    await until('the throttle is past', () => performance.now() - since > 60);
    const [id = ''] = await say(clone);
    const committed = performance.now();
    outbox.wake();
    await until('it starts', () => started.has(id));
    delays.push((started.get(id) ?? 0) - committed);
  }
  const sorted = delays.toSorted((a, b) => a - b);
  t.diagnostic(
    `commit to start: median ${sorted[wakes >> 1]?.toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms`,
  );
  assertWoken(sorted);
});
