// Tests of early refusals: by length, by the age of the first, and of transactions on a real PostgreSQL.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';
import { throwAwayDatabase, until } from '#test/throw-away-database';
import { isTimeout } from './pg-errors.ts';
import { openDatabase } from './pool.ts';
import { sql } from './sql.ts';
import { isOverload, openLine } from './waiting-line.ts';

const server = await throwAwayDatabase();
after(() => server[Symbol.asyncDispose]());

/** The pace of a line on a clock of the test: a busy machine is late for timers, and makes what leaves look slow. */
function movedClock(t: TestContext): (ms: number) => void {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  return (ms) => void (nowMs += ms);
}

const limits = { what: 'tests', longest: 3, shortest: 1, longestMs: 60_000 } as const;

test('a full line refuses, and takes the next when one has left', () => {
  const line = openLine(limits);
  const [leave] = [line.enter(), line.enter(), line.enter()];
  assert.throws(() => line.enter(), isOverload);
  leave?.();
  line.enter();
  assert.throws(() => line.requireRoom(), isOverload);
});

test('what enters for several is as long as they are, until it leaves', () => {
  const line = openLine(limits);
  const leave = line.enter(3);
  assert.throws(() => line.enter(), isOverload);
  leave();
  leave();
  line.enter(2);
  line.requireRoom();
  line.enter();
  assert.throws(() => line.requireRoom(), isOverload);
});

test('a line whose first is old refuses, but a single slow one is not an overload', () => {
  const line = openLine({ ...limits, longestMs: -1 });
  const leave = line.enter();
  line.enter();
  assert.throws(() => line.enter(), isOverload);
  leave();
  line.enter();
});

test('a line refuses what would wait for long at the pace of those that left, before the first is old', (t) => {
  const pass = movedClock(t);
  const line = openLine({ what: 'tests', longest: 100_000, shortest: 1, longestMs: 1_000 });
  const leave = [line.enter(), line.enter()];
  for (let turn = 0; turn < 20; turn += 1) {
    pass(10);
    leave.shift()?.();
    leave.push(line.enter());
  }
  // Ten milliseconds each: the hundredth would wait for a second.
  assert.throws(() => {
    for (let count = 0; count < 200; count += 1) line.enter();
  }, isOverload);
});

test('the pace of several that leave at once is that of each of them', (t) => {
  const pass = movedClock(t);
  const line = openLine({ what: 'tests', longest: 100_000, shortest: 1, longestMs: 1_000 });
  const leave = [line.enter(10), line.enter(10)];
  for (let turn = 0; turn < 20; turn += 1) {
    pass(10);
    leave.shift()?.();
    leave.push(line.enter(10));
  }
  // One millisecond each: the hundredth would not wait for long, but the ten-thousandth would.
  for (let count = 0; count < 100; count += 1) line.enter();
  assert.throws(() => {
    for (let count = 0; count < 1_000; count += 1) line.enter(10);
  }, isOverload);
});

test('transactions that would wait for long are refused at once, and those that wait are carried out', async () => {
  await using clone = await server.clone(false);
  const { connection } = clone;
  // Half a second of waiting is long; no time limit of PostgreSQL is near.
  await using db = openDatabase({
    connection,
    readers: 1,
    writers: 1,
    patience: 0.5,
    onError: () => undefined,
  });
  const { promise: done, resolve: release } = Promise.withResolvers<void>();
  const first = db.transaction(() => done);
  const one = sql<{ one: number }>`select 1 as one`;
  const waiting = [1, 2, 3].map(() => db.transaction((tx) => tx.first(one)));
  db.requireRoom('read');
  await until('the first has waited', async () => {
    try {
      db.requireRoom('transaction');
      return false;
    } catch (error) {
      return isOverload(error);
    }
  });
  await assert.rejects(
    db.transaction((tx) => tx.first(one)),
    (error) => isTimeout(error) && isOverload(error),
  );
  release();
  await first;
  assert.deepEqual(await Promise.all(waiting), [{ one: 1 }, { one: 1 }, { one: 1 }]);
  assert.deepEqual(await db.transaction((tx) => tx.first(one)), { one: 1 });
});
