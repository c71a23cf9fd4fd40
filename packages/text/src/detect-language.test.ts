// Tests of detecting languages in a thread: what is not known yet is told apart from what cannot be known.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTextWork } from './index.ts';

const work = openTextWork(assert.fail);
after(() => work[Symbol.asyncDispose]());

test('without a free place there is no result, not one that says that the language is unknown', async () => {
  const text =
    'The hedgehog sleeps through the winter under a large pile of leaves and nobody wakes it.';
  const found = await Promise.all(Array.from({ length: 300 }, () => work.detectLanguage(text)));
  assert.deepEqual([found[0], found.at(-1)], ['en', undefined]);
  assert.deepEqual(
    found.filter((language) => language !== undefined && language !== 'en'),
    [],
  );
});
