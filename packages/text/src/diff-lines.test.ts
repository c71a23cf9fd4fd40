// Tests of line diffs: exact, byte for byte, and within their limits for any texts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { drawSample } from '../../server/test/faults/sampled.ts';
import { diffLines } from './diff-lines.ts';
import type { Hunk } from './diff-lines.ts';
import { openDiffing } from './diffing.ts';

const wide = { edits: 10_000, lines: 100_000, milliseconds: 5_000 };

const diffing = openDiffing(() => undefined);
after(() => diffing[Symbol.asyncDispose]());

function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Applies the hunks to the older text, and checks every number in them. */
function applyHunks(from: string, hunks: readonly Hunk[]): string {
  const old = lines(from);
  const made: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.from_line - 1;
    assert.ok(start >= at, 'hunks are in order and apart');
    made.push(...old.slice(at, start));
    assert.equal(made.length, hunk.to_line - 1);
    const before = hunk.lines.filter(({ op }) => op !== 'add').map(({ text }) => text);
    const behind = hunk.lines.filter(({ op }) => op !== 'remove').map(({ text }) => text);
    assert.equal(before.length, hunk.from_count);
    assert.equal(behind.length, hunk.to_count);
    assert.deepEqual(before, old.slice(start, start + before.length));
    made.push(...behind);
    at = start + before.length;
  }
  return [...made, ...old.slice(at)].join('');
}

test('a change in the middle has three lines around it', () => {
  const from = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
  const hunks = diffLines(from, from.replace('5', 'five'), wide);
  assert.deepEqual(hunks, [
    {
      from_line: 2,
      from_count: 7,
      to_line: 2,
      to_count: 7,
      lines: [
        ...['2\n', '3\n', '4\n'].map((text) => ({ op: 'keep', text })),
        { op: 'remove', text: '5\n' },
        { op: 'add', text: 'five\n' },
        ...['6\n', '7\n', '8\n'].map((text) => ({ op: 'keep', text })),
      ],
    },
  ]);
});

test('from nothing, to nothing, and no change at all', () => {
  assert.deepEqual(diffLines('a\nb', 'a\nb', wide), []);
  assert.deepEqual(diffLines('', 'a\nb', wide), [
    {
      from_line: 1,
      from_count: 0,
      to_line: 1,
      to_count: 2,
      lines: [
        { op: 'add', text: 'a\n' },
        { op: 'add', text: 'b' },
      ],
    },
  ]);
  assert.equal(applyHunks('a\nb', diffLines('a\nb', '', wide) ?? []), '');
});

test('the last line break and carriage returns count', () => {
  for (const [from, to] of [
    ['a\nb', 'a\nb\n'],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['\n\n', '\n'],
  ] as const) {
    const hunks = diffLines(from, to, wide) ?? [];
    assert.equal(hunks.length, 1);
    assert.equal(applyHunks(from, hunks), to);
  }
});

test('500 random pairs: the hunks make one text of the other', () => {
  let seed = 20_261;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const text = (letters: number) =>
    Array.from(
      { length: random(60) },
      () => `${'abcdefghij'[random(letters)]}${random(5) ? '\n' : ''}`,
    ).join('');
  for (let round = 0; round < 500; round += 1) {
    const letters = 1 + random(10);
    const [from, to] = [text(letters), text(letters)];
    assert.equal(
      applyHunks(from, diffLines(from, to, wide) ?? []),
      to,
      JSON.stringify({ from, to }),
    );
  }
});

test('lines that only one text has cost nothing: 15,000 of them are told apart', () => {
  const from = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join('');
  const to = Array.from({ length: 20_000 }, (_, i) =>
    i % 4 ? `line ${i}\n` : `other ${i}\n`,
  ).join('');
  const hunks = diffLines(from, to, { ...wide, edits: 10 });
  assert.ok(hunks);
  assert.equal(applyHunks(from, hunks), to);
});

test('undefined beyond the edits or the lines that are allowed', () => {
  const from = Array.from({ length: 1_000 }, (_, i) => `${i}\n`);
  const to = from.toReversed().join('');
  assert.equal(diffLines(from.join(''), to, { ...wide, edits: 100 }), undefined);
  assert.equal(diffLines('', to, { ...wide, lines: 999 }), undefined);
});

const megabyte = 1_048_576;
function fillLines(line: (index: number) => string): string {
  const made: string[] = [];
  for (let size = 0, index = 0; size < megabyte; index += 1) {
    made.push(line(index));
    size += made.at(-1)?.length ?? 0;
  }
  return made.join('').slice(0, megabyte);
}

/** Texts of 1 MB that are hard to compare. */
const hostile: Readonly<Record<string, readonly [string, string]>> = {
  'nothing but line breaks, and half of them': [
    fillLines(() => '\n'),
    fillLines(() => '\n').slice(megabyte / 2),
  ],
  'two letters in no order': [
    fillLines((i) => ((i * i * 7) % 11 < 5 ? 'a\n' : 'b\n')),
    fillLines((i) => ((i * i * 5) % 13 < 6 ? 'a\n' : 'b\n')),
  ],
  'the same lines backwards': [
    fillLines((i) => `${i}\n`),
    lines(fillLines((i) => `${i}\n`))
      .toReversed()
      .join(''),
  ],
  'no line in common': [fillLines((i) => `a${i}\n`), fillLines((i) => `b${i}\n`)],
  'every second line another': [
    fillLines((i) => (i % 2 ? 'same\n' : `a${i}\n`)),
    fillLines((i) => (i % 2 ? 'same\n' : `b${i}\n`)),
  ],
  'one line each': ['a'.repeat(megabyte), 'b'.repeat(megabyte)],
  'shuffled blocks': [
    fillLines((i) => `${(i * 7919) % 50_000}\n`),
    fillLines((i) => `${(i * 104_729) % 50_000}\n`),
  ],
};

for (const [name, [from, to]] of drawSample(Object.entries(hostile), 3)) {
  test(`1 MB against 1 MB within a second or given up: ${name}`, async (t) => {
    const since = performance.now();
    const hunks = await diffing.diffLines({ from, to, pair: name }, undefined);
    assert.ok(typeof hunks !== 'string');
    const took = performance.now() - since;
    t.diagnostic(
      `${Math.round(took)} ms, ${hunks === undefined ? 'given up' : `${hunks.length} hunks`}`,
    );
    // The work is given up after a second; a busy machine may notice it late.
    assert.ok(took < 60_000, `took ${took} ms`);
    if (hunks !== undefined) assert.equal(applyHunks(from, hunks), to);
  });
}

/** Too long to be compared on the event loop. */
const long = { from: 'a\n'.repeat(2_000), to: 'b\n'.repeat(2_000) };

/** As many comparisons of one requester as are allowed, so that the next one is refused. */
function filledLane(requester: string, on = diffing) {
  return Array.from({ length: 9 }, (_, n) =>
    on.diffLines({ ...long, pair: `filled ${n}` }, requester),
  );
}

test('12 of one requester at once: 9 are compared, the last ones are refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => diffing.diffLines({ ...long, pair: `long ${n}` }, 'one')),
  );
  assert.deepEqual(
    answers.map((answer) => answer === 'repeated'),
    Array.from({ length: 12 }, (_, index) => index >= 9),
  );
  assert.deepEqual(await diffing.diffLines({ from: 'a', to: 'a', pair: 'same' }, 'one'), []);
});

test('short texts are compared at once, however many wait', async () => {
  const filled = filledLane('many');
  const from = 'line\n'.repeat(400);
  const hunks = await diffing.diffLines({ from, to: `${from}more\n`, pair: 'short' }, 'many');
  assert.ok(typeof hunks === 'object');
  assert.equal(applyHunks(from, hunks), `${from}more\n`);
  // Many edits between short texts exceed the limit of the event loop.
  const letters = Array.from({ length: 600 }, (_, n) => `${String.fromCodePoint(256 + n)}\n`);
  const backwards = { from: letters.join(''), to: letters.toReversed().join(''), pair: 'letters' };
  assert.equal(await diffing.diffLines(backwards, 'many'), 'repeated');
  await Promise.all(filled);
  assert.ok(typeof (await diffing.diffLines(backwards, 'many')) !== 'string');
});

const numbers = Array.from({ length: 20_000 }, (_, n) => `${n}\n`);
const hard = { from: numbers.join(''), to: numbers.toReversed().join(''), pair: 'hard' };

/** A limit on work for tests in which its duration does not matter. */
const hurriedMs = 200;

test('a pair that was given up is given up again without work', async () => {
  await using hurried = openDiffing(() => undefined, hurriedMs);
  assert.equal(await hurried.diffLines(hard, 'again'), undefined);
  const filled = filledLane('again', hurried);
  assert.equal(await hurried.diffLines(hard, 'again'), undefined);
  assert.equal(await hurried.diffLines({ ...hard, pair: 'other' }, 'again'), 'repeated');
  await Promise.all(filled);
});

test('requests that wait for a pair that is given up meanwhile cost no work', async () => {
  await using hurried = openDiffing(() => undefined, hurriedMs);
  const pair = { ...hard, pair: 'waited for' };
  let worked = 0;
  const requester = { address: 'patient', worked: () => (worked += 1) };
  const answers = Array.from({ length: 5 }, () => hurried.diffLines(pair, requester));
  assert.deepEqual(new Set(await Promise.all(answers)), new Set([undefined]));
  assert.equal(worked, 1);
});

test('the time counts while lines are compared, not only between rounds', () => {
  const equal = 'same\n'.repeat(200_000);
  assert.equal(diffLines(equal, equal, { ...wide, milliseconds: 0 }), undefined);
});

test('the requester is told what the work took', async () => {
  await using hurried = openDiffing(() => undefined, hurriedMs);
  const told: number[] = [];
  const requester = { address: 'told', worked: (ms: number) => void told.push(ms) };
  await hurried.diffLines({ ...hard, pair: 'told' }, requester);
  assert.equal(told.length, 1);
  assert.ok((told[0] ?? 0) > 0);
});
