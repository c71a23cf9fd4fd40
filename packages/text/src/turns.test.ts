// Tests of turns: a limited number at once, one for each address and account, served in turn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTurns } from './turns.ts';
import type { Requester, Turn } from './turns.ts';

/** `address/account`, or the address alone. */
function nameOf(requester: Requester): string {
  if (typeof requester !== 'object') return requester ?? 'own';
  return `${requester.address}/${requester.account ?? ''}`;
}

function client(name: string): Requester {
  const [address = '', account] = name.split('/');
  return { address, account: account === '' ? undefined : account };
}

/** The result that a request has already received. */
function now(told: Promise<string> | undefined): Promise<string | undefined> {
  return Promise.race([told, Promise.resolve('waits')]);
}

/** Takes turns and records which requester got one; `end` ends the turn of a requester. */
function turnstile(bounds: { atOnce: number; waiting: number; waitingEach: number }) {
  const take = openTurns(bounds);
  const order: string[] = [];
  const held = new Map<string, Turn>();
  return {
    order,
    ask: async (requester: Requester) => {
      const turn = await take(requester);
      if (typeof turn === 'string') return turn;
      order.push(nameOf(requester));
      held.set(nameOf(requester), turn);
      return 'granted';
    },
    end: async (requester: string) => {
      const turn = held.get(requester);
      held.delete(requester);
      turn?.[Symbol.dispose]();
      // A waiter continues in a later turn of the loop.
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
  assert.equal(await ask('b'), 'crowded', 'its lane would be as long as the longest');
  for (const requester of ['a', 'a', 'b', 'a']) await end(requester);
  assert.equal(await ask('b'), 'granted');
});

test('a full queue takes a requester with a shorter lane, and the longest lane loses its newest', async () => {
  const { ask, end, order } = turnstile({ atOnce: 1, waiting: 3, waitingEach: 8 });
  void ask('a');
  const waiting = [ask('a'), ask('a'), ask('a')];
  const others = [ask('b'), ask('c'), ask('d')];
  await end('nobody');
  assert.equal(await now(waiting[2]), 'crowded');
  assert.equal(await now(waiting[1]), 'crowded');
  assert.equal(await now(others[2]), 'crowded', 'each lane has one waiter');
  for (const requester of ['a', 'a', 'b', 'c']) await end(requester);
  assert.deepEqual(order, ['a', 'a', 'b', 'c']);
});

test('accounts of one address share its turns, and take them in turn', async () => {
  const { ask, end, order } = turnstile({ atOnce: 2, waiting: 64, waitingEach: 8 });
  for (const name of ['x/1', 'x/1', 'x/1', 'x/2', 'x/3', 'y/4', 'z/5']) void ask(client(name));
  await end('nobody');
  assert.deepEqual(order, ['x/1', 'y/4'], 'one at a time for an address');
  await end('y/4');
  assert.deepEqual(order.slice(2), ['z/5'], 'another address, while that one has its turn');
  for (const name of ['x/1', 'x/1', 'x/2', 'x/3']) await end(name);
  assert.deepEqual(order.slice(3), ['x/1', 'x/2', 'x/3', 'x/1']);
});

test('accounts of one address that fill the queue keep out only each other', async () => {
  const { ask, end, order } = turnstile({ atOnce: 1, waiting: 64, waitingEach: 8 });
  const greedy = Array.from({ length: 81 }, (_, n) => ask(client(`x/${n % 9}`)));
  for (const name of ['y/10', 'z/11', 'v/']) void ask(client(name));
  const late = ask(client('x/12'));
  await end('nobody');
  while (order.length < 5) await end(order.at(-1) ?? '');
  assert.deepEqual(order.slice(2), ['y/10', 'z/11', 'v/']);
  while (order.length < 65) await end(order.at(-1) ?? '');
  assert.equal(await now(late), 'granted', 'nor a new account of the address');
  await end(order.at(-1) ?? '');
  assert.ok((await Promise.all(greedy)).includes('crowded'));
});

test('an account has one turn and one bound, whatever addresses it uses', async () => {
  const { ask, end, order } = turnstile({ atOnce: 4, waiting: 64, waitingEach: 2 });
  const answers = ['x/1', 'y/1', 'z/1', 'v/1', 'v/2'].map((name) => ask(client(name)));
  await end('nobody');
  assert.deepEqual(order, ['x/1', 'v/2']);
  assert.equal(await now(answers[3]), 'repeated');
  await end('x/1');
  assert.deepEqual(order.slice(2), ['y/1']);
});

test('the end of a turn starts all who waited for its address or its account', async () => {
  const { ask, end, order } = turnstile({ atOnce: 2, waiting: 64, waitingEach: 8 });
  for (const name of ['x/1', 'x/2', 'y/1']) void ask(client(name));
  await end('nobody');
  assert.deepEqual(order, ['x/1']);
  await end('x/1');
  assert.deepEqual(order, ['x/1', 'x/2', 'y/1']);
});

test('the service itself waits only for a free turn', async () => {
  const { ask, order } = turnstile({ atOnce: 3, waiting: 0, waitingEach: 0 });
  assert.deepEqual(await Promise.all([ask(undefined), ask(undefined)]), ['granted', 'granted']);
  assert.equal(order.length, 2);
});
