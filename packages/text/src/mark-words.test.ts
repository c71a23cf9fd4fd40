// Which line replaced which, and the words that differ.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from './diff-lines.ts';
import { markWords } from './mark-words.ts';
import { openMarking } from './marking.ts';

const diffBounds = { edits: 4_000, lines: 20_000, milliseconds: 1_000 };
const bounds = {
  pairs: 1_000,
  comparisons: 400_000,
  milliseconds: 10_000,
  line: 20_000,
  edits: 500,
};

function hunksOf(from: string, to: string) {
  return diffLines(from, to, diffBounds) ?? [];
}

/** Each line with its counterpart, and changed words in brackets. */
function showMarks(from: string, to: string, own = bounds) {
  return markWords({ hunks: hunksOf(from, to), bounds: own }).flatMap(({ lines }) =>
    lines.map(({ op, text, words, pair }) => {
      const written = words?.map((one) => (one.changed ? `[${one.text}]` : one.text)).join('');
      return `${op}${pair ?? ''} ${written ?? text}`.trimEnd();
    }),
  );
}

test('a line that was inserted before a changed one is not taken for it', () => {
  const from = 'It needs shade and water.\n';
  const to = 'Something else entirely: lichens.\nIt needs shade and clean water.\n';
  assert.deepEqual(showMarks(from, to), [
    'remove2 It needs shade and water.\n'.trimEnd(),
    'add Something else entirely: lichens.',
    'add0 It needs shade and [clean ]water.',
  ]);
});

test('lines with little in common have no counterpart', () => {
  assert.deepEqual(showMarks('one two three\n', 'uno due tre\n'), [
    'remove one two three',
    'add uno due tre',
  ]);
});

test('beyond the bounds lines are shown without words', () => {
  const from = 'a b c d\nx\n1 2 3 4\n';
  const to = 'a b c e\nx\n1 2 3 5\n';
  const marks = (own: Partial<typeof bounds>) =>
    showMarks(from, to, { ...bounds, ...own }).filter((line) => line.includes('[')).length;
  assert.equal(marks({ pairs: 1 }), 2);
  assert.equal(marks({ comparisons: 12 }), 2);
  assert.equal(marks({ comparisons: 0 }), 0);
  assert.equal(marks({}), 4);
});

test('long diffs are marked in the thread as short ones are here', async () => {
  const failures: Error[] = [];
  await using marking = openMarking((error) => failures.push(error));
  const line = (n: number, word: string) => `Line ${n} says ${word} of the same thing as before.\n`;
  const text = (word: string) =>
    Array.from({ length: 200 }, (_, n) => line(n, n % 2 === 0 ? word : 'this')).join('');
  const hunks = hunksOf(text('much'), text('little'));
  const marked = await marking.markWords(hunks, undefined);
  assert.deepEqual(marked, markWords({ hunks, bounds }));
  assert.equal(marked.flatMap(({ lines }) => lines).filter(({ words }) => words).length, 200);
  assert.deepEqual(failures, []);
});
