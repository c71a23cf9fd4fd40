// Names of principals: their indexed forms and scores, as tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bioScoreOf,
  fitsNames,
  nameQueryOf,
  nameScoreOf,
  namesText,
  nearbyOfNames,
  wordsOfNames,
} from './names.ts';
import type { NameQuery } from './names.ts';
import { parseQuery } from './parse-query.ts';

function askFor(typed: string): NameQuery | undefined {
  return nameQueryOf(typed, parseQuery(typed));
}

const marie = { username: 'marie-curie', display_name: 'Marie Skłodowska Curie' };
const jose = { username: 'jm_42', display_name: 'José Müller' };
const li = { username: 'li-wei', display_name: '李伟' };

/** The query, the principal, and the class of the score. */
const fits: readonly (readonly [string, typeof marie, number])[] = [
  ['marie-curie', marie, 6],
  ['@Marie-Curie', marie, 6],
  ['marie curie', marie, 5],
  ['marie_curie', marie, 5],
  ['mariecurie', marie, 5],
  ['Marie Sklodowska Curie', marie, 5],
  ['josé müller', jose, 5],
  ['JOSE MULLER', jose, 5],
  ['李伟', li, 5],
  ['mar', marie, 4],
  ['marie-c', marie, 4],
  ['jos', jose, 4],
  ['curie', marie, 3],
  ['skłodow', marie, 3],
  ['curie marie', marie, 3],
  ['muller jose', jose, 3],
  ['marei-curie', marie, 2],
  ['mariecurei', marie, 2],
  ['crie', marie, 2],
  ['muler', jose, 2],
  ['curie mari', marie, 3],
  ['mrie curi', marie, 2],
  ['pierre', marie, 0],
  ['marie pierre', marie, 0],
  ['cu', marie, 3],
  ['c', marie, 0],
];
for (const [typed, names, score] of fits) {
  test(`${typed} fits ${names.username} as ${score}`, () => {
    const query = askFor(typed);
    assert.ok(query);
    const found = nameScoreOf(query, names);
    assert.equal(Math.floor(found), score, String(found));
  });
}

test('of names that begin alike the shorter is the better', () => {
  const query = askFor('ann');
  assert.ok(query);
  const scores = ['ann', 'anna', 'annabelle'].map((username) =>
    nameScoreOf(query, { username, display_name: null }),
  );
  assert.deepEqual(
    scores.toSorted((a, b) => b - a),
    scores,
  );
  assert.equal(new Set(scores).size, 3);
});

test('a name that fits is better than any bio, and a bio than nothing', () => {
  const query = askFor('crie');
  assert.ok(query);
  assert.ok(nameScoreOf(query, marie) > bioScoreOf(1_000));
  assert.ok(bioScoreOf(0.01) > 1);
  assert.equal(bioScoreOf(0), 0);
});

for (const typed of ['"marie curie"', 'marie -curie', 'marie or curie', '-marie', '!!!']) {
  test(`${typed} is not a name`, () => assert.equal(askFor(typed), undefined));
}

test('names are found by numbers that a typo leaves one of', () => {
  const numbers = new Set(nearbyOfNames(marie));
  for (const typed of ['marie', 'mrie', 'maire', 'marrie', 'curei', 'sklodoska']) {
    const query = askFor(typed);
    assert.ok(
      query?.nearby[0]?.some((number) => numbers.has(number)),
      typed,
    );
  }
  assert.deepEqual(nearbyOfNames({ username: 'al-123456', display_name: 'Bo' }), []);
});

test('numbers and words of the longest names stay few', () => {
  const names = { username: 'a-b'.padEnd(32, 'c'), display_name: 'word '.repeat(24).trim() };
  assert.ok(nearbyOfNames(names).length < 60);
  assert.ok(nearbyOfNames({ username: 'ab', display_name: 'x'.repeat(120) }).length === 0);
});

test('names are indexed as they are and without accents', () => {
  assert.equal(namesText(jose), 'jm_42 jm42 José Müller jose muller');
  assert.deepEqual(wordsOfNames(jose), ['jm', '42', 'jose', 'muller']);
});

test('a query of very many words or odd characters is read without an error', () => {
  for (const typed of [
    'a'.repeat(200),
    'ab '.repeat(66),
    "o'neil \\ :* & !(",
    '\ud800x',
    '🦉',
    '%_',
  ]) {
    const query = askFor(typed);
    if (query === undefined) continue;
    assert.ok(query.words.length <= 6);
    assert.ok(nameScoreOf(query, marie) >= 0);
  }
});

test('words that were typed are marked in names, with a typo and without accents', () => {
  const query = askFor('curei jos');
  assert.ok(query);
  const marked = ['curie', 'josé', 'joseph', 'pierre'].map((word) => fitsNames(query, word));
  assert.deepEqual(marked, [true, true, true, false]);
});
