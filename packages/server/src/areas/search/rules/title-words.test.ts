// The words of titles, as a table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptWords, titleLength, titleWords } from './title-words.ts';

const rows: readonly (readonly [title: string, words: readonly string[]])[] = [
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
for (const [title, words] of rows) {
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

test('kept are those of three letters and more, in the bucket of their hash', () => {
  const [moby, dick, ...others] = keptWords(titleWords('Moby Dick at'));
  assert.equal(moby?.word, 'moby');
  assert.equal(dick?.word, 'dick');
  assert.deepEqual(others, []);
  assert.ok((moby?.bucket ?? -1) >= 0 && (moby?.bucket ?? 4096) < 4096);
  assert.deepEqual(keptWords(['moby']), [moby]);
});
