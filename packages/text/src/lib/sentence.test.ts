// Tests of the words for a fault of a field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentenceOf } from './sentence.ts';

test('a fault is a sentence, whether it is a part of one or whole', () => {
  const cases = [
    ['must be at least 1 character', 'This must be at least 1 character.'],
    ['This name is taken', 'This name is taken.'],
    ['Enter a name.', 'Enter a name.'],
    ['Is this a name?', 'Is this a name?'],
    ['Wait…', 'Wait…'],
  ] as const;
  for (const [fault, sentence] of cases) assert.equal(sentenceOf(fault), sentence);
});
