// Tests of comments and guides as HTML: rendered once, in fair turns, in bounded time, and cached.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeptTexts } from './kept-texts.ts';
import { openShortTexts } from './short-texts.ts';

const patient = { keptMax: 2_000_000, pageMs: 600_000 };

/** Renders when the test says so; `started` contains the texts whose rendering has begun. */
function renderer() {
  const started: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    started,
    render: async (markdown: string) => {
      started.push(markdown);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { html: `<p>${markdown}</p>`, kept: true };
    },
    /** Ends the rendering that began first. */
    end: async () => {
      waiting.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

async function renderShort(markdown: string) {
  return { html: `<p>${markdown}</p>`, kept: markdown !== 'busy' };
}

test('a comment is rendered once for all who ask at the same time; what failed is tried again', async () => {
  let count = 0;
  const pageOf = openShortTexts(async (markdown) => {
    count += 1;
    return renderShort(markdown);
  }, patient);
  const show = pageOf({ address: 'a' });
  const both = await Promise.all([show('one'), show('one'), show('two')]);
  assert.deepEqual(both, ['<p>one</p>', '<p>one</p>', '<p>two</p>']);
  assert.equal(count, 2);
  assert.equal(await pageOf({ address: 'b' })('one'), '<p>one</p>');
  assert.equal(count, 2);
  await show('busy');
  await show('busy');
  assert.equal(count, 4);
  for (let n = 0; n < 100; n += 1) await show(`${n}${'x'.repeat(100_000)}`);
  await show('one');
  assert.equal(count, 105, 'what was not shown for long is forgotten');
});

test('the page of one address does not wait behind many pages of another', async () => {
  const { render, started, end } = renderer();
  const pageOf = openShortTexts(render, patient);
  const greedy = Array.from({ length: 8 }, (_, page) => {
    const show = pageOf({ address: 'greedy' });
    return Promise.all(['a', 'b'].map((name) => show(`${name}${page}`)));
  });
  const one = pageOf({ address: 'one' })('mine');
  const other = pageOf({ address: 'other' })('theirs');
  await new Promise(setImmediate);
  assert.deepEqual(started, ['a0', 'mine'], 'one at a time for an address');
  for (let n = 0; n < 4; n += 1) await end();
  assert.equal(await one, '<p>mine</p>');
  assert.equal(await other, '<p>theirs</p>');
  assert.ok(started.length < 8, started.join());
  while (started.length < 18) await end();
  for (let n = 0; n < 2; n += 1) await end();
  assert.equal((await Promise.all(greedy)).length, 8);
});

test('a page waits no longer than its time: what is left is shown as it was written', async () => {
  const { render, started, end } = renderer();
  const pageOf = openShortTexts(render, { ...patient, pageMs: 1 });
  const show = pageOf({ address: 'a' });
  const shown = await Promise.all(['one', '<two>', 'three'].map((text) => show(text)));
  assert.deepEqual(shown, [
    '<pre class="plain">one</pre>\n',
    '<pre class="plain">&lt;two&gt;</pre>\n',
    '<pre class="plain">three</pre>\n',
  ]);
  await end();
  assert.deepEqual(started, ['one'], 'no other was begun');
  assert.equal(await pageOf({ address: 'a' })('one'), '<p>one</p>', 'the next page has it');
});

test('an address that fills the memory loses its own texts, and not those of others', () => {
  const kept = openKeptTexts(10_000);
  kept.keep('quiet', 'mine', 'x'.repeat(500));
  for (let n = 0; n < 100; n += 1) kept.keep('greedy', `text ${n}`, 'y'.repeat(800));
  assert.equal(kept.get('mine')?.length, 500);
  assert.equal(kept.get('text 0'), undefined);
  assert.equal(kept.get('text 99')?.length, 800);
  kept.keep('greedy', 'huge', 'z'.repeat(20_000));
  assert.equal(kept.get('huge'), undefined);
  assert.equal(kept.get('mine')?.length, 500);
});

test('of one address the text goes that was not asked for the longest', () => {
  const kept = openKeptTexts(1_000);
  kept.keep('a', 'first', 'x'.repeat(200));
  kept.keep('a', 'second', 'x'.repeat(200));
  kept.get('first');
  kept.keep('a', 'third', 'x'.repeat(200));
  assert.deepEqual(
    ['first', 'second', 'third'].map((key) => kept.get(key) !== undefined),
    [true, false, true],
  );
});
