// The combination of the parses of a query, as a table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../rules/parse-query.ts';
import { quoteLexeme } from '../rules/text-forms.ts';
import { lexemesOf, ownQueries, requiredOf, tsqueryOf, withoutImplied } from './resolve-query.ts';

const readingOf = (plain: string | null, more: object = {}) => ({
  part_of: 0,
  configurations: ['simple'],
  plain,
  phrase: null as string | null,
  choices: [] as string[],
  unwanted: null as string | null,
  ...more,
});

test('readings are alternatives, equal ones once', () => {
  const query = parseQuery('running dogs');
  assert.equal(
    tsqueryOf(query, [readingOf("('run')"), readingOf("('running')"), readingOf("('run')")]),
    "((('run'))) | ((('running')))",
  );
});

test('what must not be there stands beside each of them', () => {
  const unwanted = "('ship') | ('ships')";
  assert.equal(
    tsqueryOf(parseQuery('whale -ships'), [readingOf("('whale')", { unwanted })]),
    "((('whale')) & (!(('ship') | ('ships'))))",
  );
});

test('a reading of stop words only looks for nothing', () => {
  assert.equal(tsqueryOf(parseQuery('the'), [readingOf(null)]), '');
  assert.equal(
    tsqueryOf(parseQuery('the'), [readingOf(null), readingOf("('the')")]),
    "((('the')))",
  );
});

test('pairs and beginnings of scripts without spaces are conditions of their own', () => {
  assert.equal(tsqueryOf(parseQuery('北京大'), [readingOf(null)]), "(('北京' & '京大'))");
  assert.equal(tsqueryOf(parseQuery('猫'), [readingOf(null)]), "(('猫':*))");
  assert.equal(
    tsqueryOf(parseQuery('map 北京 -犬小'), [readingOf("('map')")]),
    "((('map')) & ('北京') & (!('犬小')))",
  );
});

test('lexemes are read out of a query, whatever is in them', () => {
  assert.deepEqual(
    lexemesOf([readingOf("('it''s' & 'a\\\\b') | 'x':*", { choices: ["'c' | 'd'"] })]),
    ["it's", 'a\\b', 'x', 'c', 'd'],
  );
  assert.equal(quoteLexeme("it's a\\b"), "'it''s a\\\\b'");
});

test('of each word one must be there, of alternatives any', () => {
  const query = parseQuery('a b 北京');
  assert.deepEqual(requiredOf(query, [readingOf("('a' & 'b')", { choices: ["'c' | 'd'"] })]), [
    [['a'], ['b'], ['c', 'd'], ['北京']],
  ]);
});

test('a reading that asks for more than another one is left out, where both ask for all their words', () => {
  const texts = (...plain: (string | null)[]) =>
    withoutImplied(plain.map((text) => readingOf(text))).map((one) => one.plain);
  assert.deepEqual(texts("('the' & 'whale')", "('whale')"), ["('whale')"]);
  assert.deepEqual(texts("('whale')", "('whale' & 'the')"), ["('whale')"]);
  assert.deepEqual(texts("('a' & 'b')", "('b' & 'a')"), ["('a' & 'b')"]);
  assert.deepEqual(texts("('whal')", "('whale')"), ["('whal')", "('whale')"]);
  assert.deepEqual(texts("('a' <-> 'b')", "('a')"), ["('a' <-> 'b')", "('a')"]);
  assert.deepEqual(texts(null, "('the')"), [null, "('the')"]);
  const other = readingOf("('whale' & 'the')", { part_of: 1 });
  assert.equal(withoutImplied([readingOf("('whale')"), other]).length, 2);
});

test('each configuration has what it asks for itself', () => {
  const readings = [
    readingOf("('whale')", { configurations: ['english', 'german'] }),
    readingOf("('the' & 'whale')", { phrase: "'the' <-> 'whale'" }),
  ];
  assert.deepEqual(ownQueries(parseQuery('the whale'), readings), [
    { configuration: 'english', words: "((('whale')))", anyWord: "'whale'", phrase: null },
    { configuration: 'german', words: "((('whale')))", anyWord: "'whale'", phrase: null },
    {
      configuration: 'simple',
      words: "((('the' & 'whale')))",
      anyWord: "'the' | 'whale'",
      phrase: "('the' <-> 'whale')",
    },
  ]);
});
