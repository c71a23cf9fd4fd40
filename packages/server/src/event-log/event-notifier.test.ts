// Notifications of new events between processes: two notifiers on one database.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { effort } from '#test/effort';
import { startServer } from '#test/harness';
import { appendEvents } from '#test/event-rows';
import { quiet } from '#test/throw-away-database';
import { openEventNotifier } from './event-notifier.ts';
import type { Waiter } from './event-waiters.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

const open = () =>
  openEventNotifier({ connection: server.services.connection, db: server.db, log: quiet });

/** Waits for the first wake, which every waiter receives after its counter is first read. */
async function settle(waiter: Waiter): Promise<void> {
  assert.equal(await waiter.next(60_000), true);
}

test('a word said in one process wakes in another, long before anybody looks', async () => {
  await using near = open();
  await using far = open();
  const { id } = await server.register();
  using waiter = far.listen(id);
  await settle(waiter);
  const latencies: number[] = [];
  for (let turn = 0; turn < effort(2, 5); turn += 1) {
    await appendEvents(server.db, [id], turn);
    const begun = performance.now();
    near.announce([id]);
    assert.equal(await waiter.next(60_000), true);
    latencies.push(performance.now() - begun);
    // Possibly once more, because the counter changed after it was read.
    await waiter.next(1_500);
  }
  // Without a hint, the notifier checks once a second.
  assert.ok(Math.min(...latencies) < 800, `${latencies.join(', ')} ms`);
});

test('more names than a notification can contain wake every poll', async () => {
  await using near = open();
  await using far = open();
  const { id } = await server.register();
  using waiter = far.listen(id);
  await settle(waiter);
  await appendEvents(server.db, [id]);
  near.announce([id, ...Array.from({ length: 400 }, (_, index) => `nobody-${index}`)]);
  assert.equal(await waiter.next(60_000), true);
});

test('no poll wakes for an event of somebody else', async () => {
  await using notifier = open();
  const [one, other] = [await server.register(), await server.register()];
  using waiter = notifier.listen(one.id);
  await settle(waiter);
  await appendEvents(server.db, [other.id]);
  notifier.announce([other.id]);
  assert.equal(await waiter.next(1_500), false);
});

test('a lost connection costs a second, and comes back', async () => {
  await using notifier = open();
  const { id } = await server.register();
  using waiter = notifier.listen(id);
  await settle(waiter);
  const admin = new pg.Client(server.services.connection);
  await admin.connect();
  await admin.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'colophon-events'`);
  await appendEvents(server.db, [id]);
  assert.equal(await waiter.next(60_000), true);
  await admin.end();
});

test('a wait ends when its client has gone before, when it goes, and when the notifier closes', async () => {
  const notifier = open();
  const gone = new AbortController();
  using early = notifier.listen('a', AbortSignal.abort());
  using leaving = notifier.listen('b', gone.signal);
  using staying = notifier.listen('c');
  assert.equal(await early.next(5_000), false);
  const left = leaving.next(60_000);
  gone.abort();
  assert.equal(await left, false);
  const stayed = staying.next(60_000);
  notifier.release();
  assert.equal(await stayed, false);
  using late = notifier.listen('d');
  assert.equal(await late.next(60_000), false);
  await notifier[Symbol.asyncDispose]();
});
