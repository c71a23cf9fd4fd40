// Words one edit apart: the index finds all of them, and nothing else matches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  completionsOf,
  correctionsOf,
  isOneEditAway,
  mayBeginWords,
  nearbyOf,
} from './spelling.ts';

const rows: readonly [left: string, right: string, expected: boolean][] = [
  ['whale', 'whale', false],
  ['whale', 'wale', true],
  ['whale', 'whalee', true],
  ['whale', 'whyle', true],
  ['whale', 'wahle', true],
  ['whale', 'hwlae', false],
  ['whale', 'while', true],
  ['whale', 'whaling', false],
  ['whale', 'lewha', false],
  ['aabb', 'abab', true],
  ['aab', 'aaab', true],
  ['', 'a', true],
  ['häuser', 'hauser', true],
  ['🦉🦉🦉🦉', '🦉🦉🦉', true],
  ['abcd', 'badc', false],
];
for (const [left, right, expected] of rows) {
  test(`${left} and ${right} are ${expected ? '' : 'not '}one edit away`, () => {
    assert.equal(isOneEditAway(left, right), expected);
    assert.equal(isOneEditAway(right, left), expected);
  });
}

const letter = fc.constantFrom(...'abcdeйß🦉');
const aWord = fc.array(letter, { minLength: 5, maxLength: 12 });

test('a word with one edit has a number in common with the word, and is one edit away', () => {
  const edit = fc.record({ at: fc.nat(11), kind: fc.nat(3), letter });
  fc.assert(
    fc.property(aWord, edit, (word, { at, kind, letter: other }) => {
      const place = at % word.length;
      const edited = [
        () => word.toSpliced(place, 1),
        () => word.toSpliced(place, 0, other),
        () => word.toSpliced(place, 1, other),
        () => word.toSpliced(place, 2, ...word.slice(place, place + 2).toReversed()),
      ][kind]?.();
      const [left, right] = [word.join(''), (edited ?? word).join('')];
      const numbers = new Set(nearbyOf(left));
      assert.ok(
        nearbyOf(right).some((number) => numbers.has(number)),
        `${left} ${right}`,
      );
      assert.equal(isOneEditAway(left, right), left !== right, `${left} ${right}`);
    }),
  );
});

test('numbers fit a column of integers; short and long words have none', () => {
  for (const number of nearbyOf('whale')) assert.equal(number, number | 0);
  assert.equal(nearbyOf('whale').length, 6);
  assert.deepEqual(nearbyOf('to'), []);
  assert.deepEqual(nearbyOf('x'.repeat(25)), []);
});

test('corrections are one edit away, those with the same first letter first, five at most', () => {
  assert.deepEqual(correctionsOf('wahle', ['shale', 'wale', 'whale', 'wahle', 'whole']), [
    'wale',
    'whale',
  ]);
  assert.deepEqual(correctionsOf('whale', ['shale', 'while']), ['while', 'shale']);
  assert.equal(
    correctionsOf(
      'aaaa',
      [...'bcdefghi'].map((one) => `aaa${one}`),
    ).length,
    5,
  );
});

test('completions begin with the word and are longer, the shortest first', () => {
  assert.deepEqual(completionsOf('whal', ['whaling', 'whales', 'whale', 'whal', 'wharf']), [
    'whale',
    'whales',
    'whaling',
  ]);
  assert.equal(mayBeginWords('wh'), false);
  assert.equal(mayBeginWords('wha'), true);
});
