// Tests of work that is shared: nobody gets what was read before it was asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedWork } from './joined-work.ts';

/** Work that ends when the test says so; each run reads the value of its beginning. */
function openReads() {
  const ends: PromiseWithResolvers<undefined>[] = [];
  const state = { value: 0 };
  const read = async () => {
    const seen = state.value;
    const end = Promise.withResolvers<undefined>();
    ends.push(end);
    await end.promise;
    return seen;
  };
  return { state, ends, read };
}

const turn = () => new Promise((resolve) => void setImmediate(resolve));

test('those who ask during a run share the next one, which sees what changed before they asked', async () => {
  const join = joinedWork();
  const { state, ends, read } = openReads();
  const first = join('a', read);
  state.value = 1;
  const others = [join('a', read), join('a', read), join('a', read)];
  const elsewhere = join('b', read);
  assert.equal(ends.length, 2, 'another key does not wait');
  ends[0]?.resolve(undefined);
  assert.equal(await first, 0);
  await turn();
  assert.equal(ends.length, 3);
  ends[2]?.resolve(undefined);
  assert.deepEqual(await Promise.all(others), [1, 1, 1]);
  ends[1]?.resolve(undefined);
  assert.equal(await elsewhere, 1);
  await turn();
  state.value = 2;
  const alone = join('a', read);
  ends[3]?.resolve(undefined);
  assert.equal(await alone, 2, 'nothing is kept between runs');
});

test('a run that fails is not the end of those that follow', async () => {
  const join = joinedWork();
  const failing = join('a', () => Promise.reject(new Error('gone')));
  const next = join('a', () => Promise.resolve(3));
  await assert.rejects(failing, /gone/);
  assert.equal(await next, 3);
});
