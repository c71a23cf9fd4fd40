// Subscribers in a lane: one at a time per process, without delaying other subscribers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { hurry, jobs, noteWaits, open, subscriber, say } from '#test/pipeline';
import { migratedClone } from '#test/migrated-clone';
import { until } from '#test/throw-away-database';
import { lag } from './index.ts';

test('one runs at a time, each message is done once, and others go on meanwhile', async () => {
  await using clone = await migratedClone();
  const go = Promise.withResolvers<void>();
  const drawn: string[] = [];
  const indexed: string[] = [];
  let running = 0;
  let most = 0;
  const draw = subscriber('draw', async ({ payload }) => {
    running += 1;
    most = Math.max(most, running);
    await go.promise;
    await turn();
    drawn.push(payload.article_id);
    running -= 1;
  });
  const subscribers = [
    { ...draw, priority: 'idle', alone: 'draw' } as const,
    subscriber('index', ({ payload }) => void indexed.push(payload.article_id)),
  ];
  await using outbox = open(clone, subscribers);
  const first = await say(clone, 100);
  outbox.wake();
  await until('the others are done', () => indexed.length === first.length);
  await until('one is held', () => running === 1);
  const second = await say(clone, 100);
  outbox.wake();
  await until('the new others are done', () => indexed.length === 200);
  assert.equal(drawn.length, 0);
  // Background and idle jobs may wait for a long time: that does not mean that the pipeline is stuck.
  await until('nothing else waits', async () => (await lag(clone.db)).oldest_seconds === null);
  assert.equal((await lag(clone.db)).waiting, 200);
  go.resolve();
  await until('all are done', async () => (await jobs(clone)) === 0);
  assert.equal(most, 1);
  const said = [...first, ...second].toSorted();
  assert.deepEqual(drawn.toSorted(), said);
  assert.deepEqual(indexed.toSorted(), said);
});

test('what waits in one lane does not delay another, and the places of others stay free', async () => {
  await using clone = await migratedClone();
  const go = Promise.withResolvers<void>();
  const [decoded, drawn, indexed]: [string[], string[], string[]] = [[], [], []];
  const decode = subscriber('decode', async ({ payload }) => {
    await go.promise;
    decoded.push(payload.article_id);
  });
  await using outbox = open(clone, [
    { ...decode, alone: 'decode' },
    { ...subscriber('draw', ({ payload }) => void drawn.push(payload.article_id)), alone: 'draw' },
    subscriber('index', ({ payload }) => void indexed.push(payload.article_id)),
  ]);
  const said = await say(clone, 20);
  outbox.wake();
  await until('the others are done', () => indexed.length === 20 && drawn.length === 20);
  assert.equal(decoded.length, 0);
  go.resolve();
  await until('all are done', async () => (await jobs(clone)) === 0);
  assert.deepEqual(decoded.toSorted(), said.toSorted());
});

test('one that fails is tried again, and does not delay the next', async () => {
  await using clone = await migratedClone();
  await noteWaits(clone);
  const seen: string[] = [];
  let failures = 0;
  const draw = subscriber('draw', ({ payload }) => {
    if (seen.length === 0 && failures === 0) {
      failures += 1;
      throw new Error('not now');
    }
    seen.push(payload.article_id);
  });
  await using outbox = open(clone, [{ ...draw, alone: 'draw' }]);
  const said = await say(clone, 3);
  outbox.wake();
  await until('the others are done', () => seen.length === said.length - 1);
  assert.equal(failures, 1);
  await until('all are done', async () => (await hurry(clone), seen.length === said.length));
  assert.equal(failures, 1);
  assert.deepEqual(seen.toSorted(), said.toSorted());
});
