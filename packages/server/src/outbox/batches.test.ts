// Several messages in one job: equal ones are merged, failing ones run separately, priorities are kept.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { newId } from '#lib/id';
import { hurry, jobs, open, subscriber, say } from '#test/pipeline';
import { migratedClone } from '#test/migrated-clone';
import { until } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { appendMessage, countParked, lag, listParked, releaseParked } from './index.ts';
import type { ArticleChanged, Delivered, Subscriber } from './index.ts';

type Messages = readonly Delivered<ArticleChanged>[];

const idsOf = (messages: Messages) => messages.map(({ payload }) => payload.article_id);

/** A subscriber that takes up to `atOnce` messages in one job. */
function batchSubscriber(
  name: string,
  atOnce: number,
  run: (messages: Messages) => Promise<void> | void,
): Subscriber<ArticleChanged> {
  return {
    ...subscriber(name, (message) => run([message])),
    many: { atOnce, run: async (messages) => run(messages) },
  };
}

/** Appends the same message again, in a transaction of its own, after a change of the article's state. */
async function change(clone: Clone, id: string, state: number): Promise<void> {
  await clone.ask('update states set state = $1', [state]);
  await clone.db.transaction(async (tx) => {
    await appendMessage(tx, { bucket: 7, type: 'article.changed', payload: { article_id: id } });
  });
}

async function withState(): Promise<Clone> {
  const clone = await migratedClone();
  await clone.ask('create table states (state integer)');
  await clone.ask('insert into states values (0)');
  return clone;
}

/** Records the state that it read each time it ran for `id`. */
function watchStates(clone: Clone, id: string, gate: Promise<void> = Promise.resolve()) {
  const states: number[] = [];
  const seen = new Set<string>();
  const look = batchSubscriber('look', 10, async (messages) => {
    await gate;
    for (const one of idsOf(messages)) seen.add(one);
    const [row] = await clone.ask<{ state: number }>('select state from states');
    if (idsOf(messages).includes(id)) states.push(row?.state ?? -1);
  });
  return { states, seen, look };
}

test('100 changes of one article among others that wait are few runs, and the last state wins', async () => {
  await using clone = await withState();
  const id = newId(7);
  const others: string[] = [];
  for (let state = 1; state <= 100; state += 1) {
    await change(clone, id, state);
    if (state % 20 === 0) others.push(...(await say(clone, 240)));
  }
  const { states, seen, look } = watchStates(clone, id);
  await using outbox = open(clone, [look]);
  outbox.wake();
  await until('all are seen', () => seen.size === others.length + 1);
  await until('no job is left', async () => (await jobs(clone)) === 0);
  // 1,300 messages are three batches of the relay, and the job of the first may have run before the last.
  assert.ok(states.length <= 3, `${states.length} runs`);
  assert.equal(states.at(-1), 100);
});

test('a change of an article whose job is not taken yet needs no other job', async () => {
  await using clone = await withState();
  const id = newId(7);
  const gate = Promise.withResolvers<void>();
  const { states, seen, look } = watchStates(clone, id, gate.promise);
  await using outbox = open(clone, [look], { concurrency: 1 });
  await say(clone, 10);
  outbox.wake();
  await until('the only place is taken', async () => {
    const locked = 'select 1 from graphile_worker._private_jobs where locked_at is not null';
    return (await clone.ask(locked)).length === 1;
  });
  for (let state = 1; state <= 20; state += 1) {
    await change(clone, id, state);
    outbox.wake();
    await until(
      'it was handed over',
      async () => (await clone.ask('select from outbox')).length === 0,
    );
  }
  assert.equal(await jobs(clone), 2);
  gate.resolve();
  await until('no job is left', async () => (await jobs(clone)) === 0);
  assert.deepEqual(states, [20]);
  assert.equal(seen.size, 11);
});

test('a change that comes while its article is being looked at is looked at again', async () => {
  await using clone = await withState();
  const id = newId(7);
  const gate = Promise.withResolvers<void>();
  const read: number[] = [];
  const look = batchSubscriber('look', 10, async () => {
    const [row] = await clone.ask<{ state: number }>('select state from states');
    read.push(row?.state ?? -1);
    await gate.promise;
  });
  await using outbox = open(clone, [look]);
  await change(clone, id, 1);
  outbox.wake();
  await until('it has read', () => read.length === 1);
  await change(clone, id, 2);
  outbox.wake();
  await until('it has read again', () => read.length === 2);
  gate.resolve();
  await until('no job is left', async () => (await jobs(clone)) === 0);
  assert.deepEqual(read, [1, 2]);
});

test('one message that fails is parked by itself; the others of its job are done', async () => {
  await using clone = await migratedClone();
  const [bad = '', ...good] = await say(clone, 10);
  const done: string[] = [];
  let broken = true;
  let batches = 0;
  const store = batchSubscriber('store', 10, (messages) => {
    if (messages.length > 1) batches += 1;
    if (broken && idsOf(messages).includes(bad)) throw new Error('the index is gone');
    done.push(...idsOf(messages));
  });
  await using outbox = open(clone, [store]);
  outbox.wake();
  await until('the others are done', () => done.length === good.length);
  assert.deepEqual(done.toSorted(), good.toSorted());
  await until(
    'the one that fails is parked',
    async () => (await hurry(clone), (await countParked(clone.db)) === 1),
  );
  assert.equal(batches, 1);
  const parked = await listParked(clone.db, 10);
  assert.equal(parked.length, 1);
  assert.deepEqual(parked[0]?.payload, { article_id: bad });
  assert.equal(parked[0]?.attempts, 12);
  assert.match(parked[0]?.last_error ?? '', /the index is gone/);
  assert.deepEqual(await lag(clone.db), { waiting: 0, oldest_seconds: null });
  broken = false;
  await releaseParked(clone.db, [parked[0]?.job_id ?? '']);
  await until('it is done', () => done.includes(bad));
  await until('no job is left', async () => (await jobs(clone)) === 0);
  assert.equal(done.length, good.length + 1);
});

test('lag and parked count messages, not jobs', async () => {
  await using clone = await migratedClone();
  const gate = Promise.withResolvers<void>();
  let running = false;
  await using outbox = open(clone, [
    batchSubscriber('fail', 10, async () => {
      running = true;
      await gate.promise;
      throw new Error('never');
    }),
  ]);
  await say(clone, 10);
  outbox.wake();
  await until('it runs', () => running);
  assert.equal((await lag(clone.db)).waiting, 10);
  gate.resolve();
  await until(
    'all are parked',
    async () => (await hurry(clone), (await countParked(clone.db)) === 10),
  );
  assert.equal(new Set((await listParked(clone.db, 100)).map((one) => one.message_id)).size, 10);
});

test('what readers see first runs first, whatever came before it', async () => {
  await using clone = await migratedClone();
  const gate = Promise.withResolvers<void>();
  const ran: string[] = [];
  const priorities = ['idle', 'low', 'urgent', 'background', 'normal'] as const;
  const subscribers = priorities.map((priority) => ({
    ...batchSubscriber(priority, 2, () => void ran.push(priority)),
    priority,
  }));
  let held = false;
  const hold: Subscriber = {
    type: 'media.ready',
    name: 'hold',
    priority: 'urgent',
    run: () => ((held = true), gate.promise),
  };
  await using outbox = open(clone, [hold, ...subscribers], { concurrency: 1 });
  await clone.db.transaction(async (tx) => {
    await appendMessage(tx, { bucket: 0, type: 'media.ready', payload: { media_id: 'one' } });
  });
  outbox.wake();
  await until('the only place is taken', () => held);
  await say(clone, 4);
  outbox.wake();
  await until('all of it waits', async () => (await jobs(clone)) === 11);
  gate.resolve();
  await until('no job is left', async () => (await jobs(clone)) === 0);
  const order = ['urgent', 'normal', 'low', 'background', 'idle'];
  assert.deepEqual(
    ran,
    order.flatMap((priority) => [priority, priority]),
  );
});

test('kill -9 in the middle of a batch: another process does all of it', async () => {
  await using clone = await migratedClone();
  const code = `
    import { startOutbox } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    const run = () => { console.log('taken'); return new Promise(() => {}); };
    startOutbox({ connection: ${JSON.stringify(clone.connection)}, db: undefined, log: quiet, concurrency: 1,
      subscribers: [{ type: 'article.changed', name: 'see', run, many: { atOnce: 10, run } }] });`;
  const said = await say(clone, 25);
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await clone.ask(
    "update graphile_worker._private_jobs set locked_at = locked_at - interval '3 seconds'",
  );
  const seen: string[] = [];
  const see = batchSubscriber('see', 10, (messages) => void seen.push(...idsOf(messages)));
  await using _outbox = open(clone, [see], { deadCheckMs: 200 });
  await until('all are seen', () => seen.length === said.length);
  assert.deepEqual(seen.toSorted(), said.toSorted());
});
