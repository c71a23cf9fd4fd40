// Tests of usernames: folding, refusals that name the character, look-alikes, and pseudonyms.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';
import { anyCodePoint } from '#test/any-text';

import { isReservedUsername } from './reserved-usernames.ts';
import {
  bucketOfName,
  canonicalUsername,
  nameOf,
  newPseudonym,
  usernameSkeleton,
} from './username.ts';
import { effort } from '#test/effort';

const FORM = /^[a-z0-9]([a-z0-9_-]{1,30})[a-z0-9]$/;

test('folds to one spelling', () => {
  const cases: [string, string][] = [
    ['ada', 'ada'],
    ['Ada_Lovelace-2', 'ada_lovelace-2'],
    ['ＡＤＡ', 'ada'],
    ['ﬁsh', 'fish'],
    ['ﬁx', 'fix'],
    ['x²y', 'x2y'],
    ['\u212Aelvin', 'kelvin'],
    ['𝓪𝓭𝓪', 'ada'],
    ['a--__b', 'a--__b'],
    ['123', '123'],
    ['a'.repeat(32), 'a'.repeat(32)],
  ];
  for (const [input, username] of cases)
    assert.deepEqual(canonicalUsername(input), { ok: true, username }, input);
});

test('says what is wrong and where', () => {
  const length = 'A username has 3 to 32 characters.';
  const only = 'Only the letters a to z, digits, hyphens and underscores are allowed: character';
  const cases: [string, string][] = [
    ['', length],
    ['ab', length],
    ['a'.repeat(33), length],
    ['ﬁ'.repeat(17), length],
    ['a b', `${only} 2 is a space.`],
    ['ada.l', `${only} 4 is . (U+002E).`],
    ['Jürgen', `${only} 2 is ü (U+00FC).`],
    ['u\u0308x', `${only} 2 is U+0308.`],
    ['ад\u0430', `${only} 1 is а (U+0430).`],
    ['ad\u200da', `${only} 3 is U+200D.`],
    ['ad\u202ea', `${only} 3 is U+202E.`],
    ['ada\0', `${only} 4 is U+0000.`],
    ['😀😀😀', `${only} 1 is 😀 (U+1F600).`],
    ['a\ud800b', `${only} 2 is U+D800.`],
    ['İbo', `${only} 1 is İ (U+0130).`],
    ['\u037eab', `${only} 1 is \u037e (U+037E).`],
    ['-ada', 'A username begins with a letter or digit: character 1 is - (U+002D).'],
    ['ada_', 'A username ends with a letter or digit: character 4 is _ (U+005F).'],
    ['ﬁx_', 'A username ends with a letter or digit: character 3 is _ (U+005F).'],
  ];
  for (const [input, detail] of cases)
    assert.deepEqual(canonicalUsername(input), { ok: false, detail }, input);
});

test('property: what is taken has the form and is the folded input; folding again changes nothing', () => {
  const letters = fc.constantFrom(...'abzAZ019_-ﬁＡ２', '𝓪', 'é', ' ');
  const inputs = fc.oneof(
    fc.string({ unit: letters, maxLength: 40 }),
    fc.string({ unit: anyCodePoint, maxLength: 40 }),
  );
  fc.assert(
    fc.property(inputs, (input) => {
      const whole = input.normalize('NFKC').toLowerCase();
      const answer = canonicalUsername(input);
      assert.equal(answer.ok, FORM.test(whole));
      if (!answer.ok) return;
      assert.equal(answer.username, whole);
      assert.deepEqual(canonicalUsername(answer.username), answer);
    }),
    { numRuns: effort(5000, 100_000) },
  );
});

test('look-alikes share a skeleton, others do not', () => {
  const alike = [
    ['modern', 'modem'],
    ['a-b', 'a_b'],
    ['b0b', 'bob'],
    ['lilly', '1i1ly'],
    ['wave', 'vvave'],
    ['vvv', 'vw'],
    ['vvv', 'wv'],
    ['rnrn', 'mm'],
    ['il1', 'lil'],
  ];
  const apart = [
    ['modern', 'modest'],
    ['ab', 'a-b'],
    ['bob', 'b8b'],
    ['nn', 'm'],
    ['uu', 'w'],
    ['a-b', 'a--b'],
  ];
  for (const [first = '', second = ''] of alike)
    assert.equal(usernameSkeleton(first), usernameSkeleton(second), `${first} ${second}`);
  for (const [first = '', second = ''] of apart)
    assert.notEqual(usernameSkeleton(first), usernameSkeleton(second), `${first} ${second}`);
});

test('property: a skeleton is its own skeleton, and swapping look-alikes anywhere keeps it', () => {
  const pairs = [
    ['0', 'o'],
    ['1', 'l'],
    ['i', 'l'],
    ['rn', 'm'],
    ['vv', 'w'],
    ['-', '_'],
  ] as const;
  const pieces = fc.array(fc.constantFrom(...pairs.flat(), 'a', 'r', 'n', 'v', 'c', '2'));
  fc.assert(
    fc.property(pieces, fc.constantFrom(...pairs), (parts, [first, second]) => {
      const username = parts.join('');
      const skeleton = usernameSkeleton(username);
      assert.equal(usernameSkeleton(skeleton), skeleton);
      assert.equal(usernameSkeleton(username.replaceAll(first, second)), skeleton);
      assert.equal(usernameSkeleton(username.replace(second, first)), skeleton);
    }),
    { numRuns: effort(2000, 40_000) },
  );
});

test('look-alike names share a bucket and a skeleton', () => {
  for (const [left, right] of [
    ['modern', 'modem'],
    ['a-b-c', 'A_B_C'],
    ['wizard', 'vvizard'],
    ['lo0p1', '1oopl'],
  ] as const) {
    const [one, other] = [nameOf(left), nameOf(right)];
    assert.ok(one.ok && other.ok);
    assert.equal(one.skeleton, other.skeleton);
    assert.equal(one.bucket, other.bucket);
  }
});

test('buckets of names lie between 0 and 4095 and are spread', () => {
  const buckets = Array.from({ length: 2000 }, (_, n) => bucketOfName(`name-${n}`));
  assert.ok(buckets.every((bucket) => Number.isInteger(bucket) && bucket >= 0 && bucket < 4096));
  assert.ok(new Set(buckets).size > 1400);
});

test('reserved names are told apart from malformed ones', () => {
  const [reserved, free, malformed] = [nameOf('Admin'), nameOf('somebody'), nameOf('no body')];
  assert.ok(reserved.ok && isReservedUsername(reserved.username));
  assert.ok(free.ok && !isReservedUsername(free.username));
  assert.ok(!malformed.ok);
});

test('a pseudonym is a canonical username that no one can register', () => {
  for (let count = 0; count < 200; count += 1) {
    const name = newPseudonym();
    assert.match(name, /^closed-[a-z2-9]{8}$/);
    assert.deepEqual(canonicalUsername(name), { ok: true, username: name });
    assert.ok(isReservedUsername(name));
  }
});

test('two pseudonyms with one skeleton are one pseudonym', () => {
  const bySkeleton = new Map<string, string>();
  for (let count = 0; count < 5_000; count += 1) {
    const name = newPseudonym();
    const skeleton = usernameSkeleton(name);
    assert.equal(bySkeleton.get(skeleton) ?? name, name);
    bySkeleton.set(skeleton, name);
  }
});
