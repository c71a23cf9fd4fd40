// Turns: so many at once, one for each requester, served in turn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTurns } from './turns.ts';
import type { Requester, Turn } from './turns.ts';

/** Takes turns and writes down who got one; `end` ends that of a requester. */
function turnstile(bounds: { atOnce: number; waiting: number; waitingEach: number }) {
  const take = openTurns(bounds);
  const order: Requester[] = [];
  const held = new Map<Requester, Turn>();
  return {
    order,
    ask: async (requester: Requester) => {
      const turn = await take(requester);
      if (typeof turn === 'string') return turn;
      order.push(requester);
      held.set(requester, turn);
      return 'granted';
    },
    end: async (requester: Requester) => {
      held.get(requester)?.[Symbol.dispose]();
      // Who was waiting goes on in a later turn of the loop.
      await new Promise(setImmediate);
    },
  };
}

test('one requester has one turn at a time, and another does not wait behind its queue', async () => {
  const { ask, end, order } = turnstile({ atOnce: 1, waiting: 64, waitingEach: 8 });
  for (let n = 0; n < 5; n += 1) void ask('greedy');
  void ask('patient');
  await end('nobody');
  assert.deepEqual(order, ['greedy']);
  await end('greedy');
  await end('greedy');
  assert.deepEqual(order, ['greedy', 'greedy', 'patient']);
  await end('patient');
  assert.deepEqual(order.slice(3), ['greedy']);
});

test('a free turn is not given to a requester that has one', async () => {
  const { ask, end, order } = turnstile({ atOnce: 2, waiting: 64, waitingEach: 8 });
  void ask('a');
  void ask('a');
  await end('nobody');
  assert.deepEqual(order, ['a']);
  void ask('b');
  await end('nobody');
  assert.deepEqual(order, ['a', 'b']);
  await end('a');
  assert.deepEqual(order, ['a', 'b', 'a']);
});

test('too many of one requester, and too many in all, are refused at once', async () => {
  const { ask, end } = turnstile({ atOnce: 1, waiting: 3, waitingEach: 2 });
  void ask('a');
  void ask('a');
  void ask('a');
  assert.equal(await ask('a'), 'repeated');
  void ask('b');
  assert.equal(await ask('c'), 'crowded');
  for (const requester of ['a', 'a', 'b', 'a']) await end(requester);
  assert.equal(await ask('c'), 'granted');
});

test('the service itself waits for nobody but a free turn', async () => {
  const { ask, order } = turnstile({ atOnce: 3, waiting: 0, waitingEach: 0 });
  assert.deepEqual(await Promise.all([ask(undefined), ask(undefined)]), ['granted', 'granted']);
  assert.equal(order.length, 2);
});
