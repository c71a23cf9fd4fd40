// Tests of cutting texts between whole characters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeCharacters } from './whole-characters.ts';

const family = '👨‍👩‍👧‍👦';

test('a cut is before the character that it would divide', () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a'],
    [`a${family}b`, 5, 'a'],
    [`a${family}b`, 1 + family.length, `a${family}`],
    ['กี่ที่', 4, 'กี่'],
    ['e\u0301e\u0301', 3, 'e\u0301'],
    ['🇮🇱🇯🇵', 6, '🇮🇱'],
  ];
  for (const [text, max, cut] of cases) assert.equal(wholeCharacters(text, max), cut, text);
});

test('of an endless character a part stays, without half a surrogate pair', () => {
  assert.equal(wholeCharacters(`a${'\u0301'.repeat(1_000)}`, 500).length, 500);
  const joined = '👨\u200d'.repeat(1_000);
  assert.ok(wholeCharacters(joined, 500).length > 490);
  for (const max of [499, 500, 501]) assert.ok(wholeCharacters(joined, max).isWellFormed());
});
