// Marking in one go: what is long together goes to the thread as one job.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSpotlighting } from './spotlighting.ts';

function fail(error: Error): void {
  throw error;
}

test('each record has a marker of its own, here and in the thread, in their order', async () => {
  await using spotlighting = openSpotlighting(fail);
  for (const length of [10, 20_000]) {
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(length));
    const lit = await spotlighting.spotlight([...texts.map((content) => ({ content })), {}]);
    assert.ok(lit !== undefined);
    const unmarked = lit.map(({ marker, texts: { content } }) => content?.replaceAll(marker, ''));
    assert.deepEqual(unmarked, [...texts, undefined]);
    assert.equal(new Set(lit.map(({ marker }) => marker)).size, 4);
  }
});

test('many short texts are a long one: they leave the event loop alone', async () => {
  const told: Error[] = [];
  await using spotlighting = openSpotlighting((error) => told.push(error));
  // A function cannot be handed to a thread, so that it shows which texts are.
  const record = (length: number) => ({ content: 'x'.repeat(length), title: (() => '') as never });
  await assert.rejects(spotlighting.spotlight([record(8_192)]), TypeError);
  assert.equal(
    await spotlighting.spotlight(Array.from({ length: 5 }, () => record(8_192))),
    undefined,
  );
  assert.equal(told[0]?.name, 'DataCloneError');
});
