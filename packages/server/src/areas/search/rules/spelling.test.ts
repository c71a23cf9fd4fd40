// Words of titles as a table, and words one edit apart: the index finds all of them, and nothing else matches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  completionsOf,
  correctionsOf,
  isOneEditAway,
  wordRows,
  mayBeginWords,
  nearbyOf,
  titleLength,
  titleWords,
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

const titles: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Moby Dick', ['moby', 'dick']],
  ['Köln am Rhein', ['köln', 'am', 'rhein', 'koln']],
  ['CAFE\u0301', ['café', 'cafe']],
  ['Straße', ['straße', 'strasse']],
  ['Йод и ёж', ['йод', 'и', 'ёж']],
  ['well-known: docs/Hooks 5.12', ['well', 'known', 'docs', 'hooks', '5', '12']],
  ['hippo\u00adpotamus l’été', ['hippopotamus', 'l', 'été', 'ete']],
  ['北京 Map', ['map']],
  ['!!!', []],
  ['\ud800 half', ['half']],
];
for (const [title, words] of titles) {
  test(`${JSON.stringify(title)} has ${words.join(', ') || 'none'}`, () => {
    assert.deepEqual(titleWords(title), words);
  });
}

test('a title is as long as it has different words, however they are spelt, and pairs of characters', () => {
  assert.equal(titleLength('Moby Dick'), 2);
  assert.equal(titleLength('Café cafés'), 2);
  assert.equal(titleLength('Cafe\u0301, café!'), 1);
  assert.equal(titleLength('北京大学的历史'), 6);
  assert.equal(titleLength('北京 Map 图'), 3);
  assert.equal(titleLength('!!!'), 0);
});

test('words of three letters and more have a row, in the bucket of their hash', () => {
  const [moby, dick, ...others] = wordRows(titleWords('Moby Dick at'));
  assert.equal(moby?.word, 'moby');
  assert.equal(dick?.word, 'dick');
  assert.deepEqual(others, []);
  assert.ok((moby?.bucket ?? -1) >= 0 && (moby?.bucket ?? 4096) < 4096);
  assert.deepEqual(wordRows(['moby']), [moby]);
});
