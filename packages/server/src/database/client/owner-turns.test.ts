// Tests of the turns of transactions of one account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { openOwnerTurns } from './owner-turns.ts';
import type { OwnerTurns } from './owner-turns.ts';
import { isOverload } from './waiting-line.ts';

const line = { what: 'tests', longest: 3, shortest: 3, longestMs: 600_000 };
const patient = { atOnce: 2, line, turnMs: 600_000 };

/** Begins works of an owner that go on until they are ended. */
function openWorks(turns: OwnerTurns, owner: string) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let last = 0;
  return {
    begun,
    end: () => ends.shift()?.(),
    add: () => {
      const number = last;
      last += 1;
      return turns.take(owner, () => {
        begun.push(number);
        const work = Promise.withResolvers<void>();
        ends.push(work.resolve);
        return work.promise;
      });
    },
  };
}

test('two of an owner at once, the others in order; other owners do not wait', async () => {
  const turns = openOwnerTurns(patient);
  const { begun, end, add } = openWorks(turns, 'ada');
  const works = Array.from({ length: 5 }, add);
  await turnOfLoop();
  assert.deepEqual(begun, [0, 1]);
  assert.equal(await turns.take('bob', async () => 'done'), 'done');
  assert.equal(await turns.take(undefined, async () => 'done'), 'done');
  for (let count = 3; count <= 5; count += 1) {
    end();
    await turnOfLoop();
    assert.equal(begun.join(''), '01234'.slice(0, count));
  }
  end();
  end();
  await Promise.all(works);
});

test('more than may wait are refused, and as many as ended are taken again', async () => {
  const turns = openOwnerTurns(patient);
  const { begun, end, add } = openWorks(turns, 'ada');
  const works = Array.from({ length: 5 }, add);
  await assert.rejects(add(), isOverload);
  for (const work of works) {
    await turnOfLoop();
    end();
    await work;
  }
  const again = [add(), add()];
  await turnOfLoop();
  assert.equal(begun.length, 7);
  end();
  end();
  await Promise.all(again);
});

test('one that waits too long is refused, and takes no turn later; work that fails ends its turn', async () => {
  const turns = openOwnerTurns({ ...patient, turnMs: 20 });
  const { begun, end, add } = openWorks(turns, 'ada');
  const works = [add(), add()];
  await assert.rejects(add(), isOverload);
  end();
  await works[0];
  const failing = () => turns.take('ada', () => Promise.reject(new Error('failed')));
  for (let count = 0; count < 3; count += 1) await assert.rejects(failing(), /failed/);
  end();
  await works[1];
  assert.deepEqual(begun, [0, 1]);
});
