// The dictionary of a text, and the maximum indexed length, as tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configurationOf, indexedLengths, isTooManyWords } from './languages.ts';

const rows: readonly [string, string][] = [
  ['en', 'english'],
  ['EN', 'english'],
  ['en-GB', 'english'],
  ['pt-BR', 'portuguese'],
  ['nb', 'norwegian'],
  ['nn', 'norwegian'],
  ['sr-Latn', 'serbian'],
  ['et', 'estonian'],
  ['zh', 'simple'],
  ['ja', 'simple'],
  ['und', 'simple'],
  ['', 'simple'],
  ['constructor', 'simple'],
];
for (const [language, configuration] of rows) {
  test(`${language || 'no language'} is indexed as ${configuration}`, () => {
    assert.equal(configurationOf(language), configuration);
  });
}

test('less and less of a text is tried, at last nothing', () => {
  assert.equal(indexedLengths.at(-1), 0);
  for (const [place, length] of indexedLengths.entries())
    assert.ok(length > (indexedLengths[place + 1] ?? -1));
});

test('only SQLSTATE 54000 means too many words', () => {
  assert.equal(isTooManyWords(Object.assign(new Error('x'), { code: '54000' })), true);
  for (const other of [
    Object.assign(new Error('x'), { code: '54001' }),
    new Error('54000'),
    { code: '54000' },
    undefined,
  ]) {
    assert.equal(isTooManyWords(other), false);
  }
});
