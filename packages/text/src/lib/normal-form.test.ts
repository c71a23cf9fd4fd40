// Tests of normal forms: as Unicode defines them, except for runs of marks that no language uses.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { mostMarks, toNormalForm } from './normal-form.ts';

const packages = join(import.meta.dirname, '../../..');
const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

test('a text without long runs of marks comes out in its normal form', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 3 }),
    fc.constantFrom(...'aé漢가ﷺﬁ\u0301\u0316\u0e48'),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), fc.constantFrom(...forms), (units, form) => {
      const text = units.join('').replaceAll(/\p{M}{31,}/gu, '');
      assert.equal(toNormalForm(text, form), text.normalize(form));
    }),
  );
});

test('what is seen to be in its normal form is, whatever stands beside it', () => {
  const points = Array.from({ length: 0x11_00_00 }, (_, point) => String.fromCodePoint(point));
  const whole = points.filter((one) => one.isWellFormed());
  const isWrong = (text: string) => toNormalForm(text) !== text.normalize();
  assert.deepEqual(whole.filter(isWrong), []);
  // Only these change with what stands before them: marks, and what is composed with another character.
  const seconds = [
    ...whole.filter((one) => /\p{M}/u.test(one)),
    ...new Set(whole.flatMap((one) => [...one.normalize('NFD')].slice(1))),
  ];
  for (const first of ['a', '\u0424', '\u4e2d', '\uac00', '\u2019'])
    assert.deepEqual(
      seconds.filter((second) => isWrong(first + second)),
      [],
    );
});

test('of a longer run of marks the first 30 stay', () => {
  const marks = '\u0301\u0316'.repeat(mostMarks / 2);
  for (const more of ['\u0301', '\u0316', '\u0301'.repeat(200_000)])
    assert.equal(toNormalForm(`x${marks}${more}y`), `x${marks}y`.normalize());
  assert.equal(toNormalForm(`x${marks}y`), `x${marks}y`.normalize());
});

test('what is put into order with its neighbours is a combining mark', () => {
  const reordered = Array.from({ length: 0x11_00_00 }, (_, point) => String.fromCodePoint(point))
    .filter((one) => one.isWellFormed() && !/\p{M}/u.test(one))
    .filter((one) => `${one}\u0334`.normalize('NFD').startsWith('\u0334'));
  assert.deepEqual(reordered, []);
});

test('nothing else puts a text of a participant into a normal form', () => {
  const files = globSync('{islands,server,share-images,text}/src/**/*.ts', {
    cwd: packages,
    exclude: ['**/*.test.ts'],
  });
  const found = files.filter((file) =>
    /\.normalize\(|\bnormalize\(/.test(readFileSync(join(packages, file), 'utf8')),
  );
  assert.deepEqual(found.toSorted(), [
    // A topic that somebody types, in their own browser.
    'islands/src/browser/topics.ts',
    // A text whose runs of marks are cut in the same statement.
    'server/src/areas/search/queries/document-text.ts',
    // A title.
    'share-images/src/letters.ts',
    'text/src/lib/normal-form.ts',
  ]);
});
