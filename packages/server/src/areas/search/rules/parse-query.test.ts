// The syntax of web searches, as a table, and that every text is a valid query.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  textsToParse,
  parseQuery,
  withAlternatives,
  withoutLast,
  wordCountOf,
} from './parse-query.ts';
import type { Group } from './parse-query.ts';

/** Returns a group as a line: the wanted terms, then pairs, beginnings, and the exclusions. */
function showGroup({ wanted, unwanted, pairs, unwantedPairs, starts }: Group): string {
  const texts = (parts: Group['wanted']) => parts.map((part) => part.alternatives.join('/'));
  return [
    ...texts(wanted),
    ...pairs.map((pair) => `=${pair}`),
    ...starts.map((start) => `${start}*`),
    ...texts(unwanted).map((text) => `-${text}`),
    ...unwantedPairs.map((list) => `-=${list.join('=')}`),
  ].join(' ');
}

const rows: readonly [typed: string, groups: readonly string[]][] = [
  ['one', ['one']],
  ['  one   two ', ['one two']],
  ['"one two" three', ['"one two" three']],
  ['“one two”', ['"one two"']],
  ['"not closed', ['"not closed"']],
  ['""', []],
  ['one -two', ['one -two']],
  ['one --two', ['one -two']],
  ['one -"two three"', ['one -"two three"']],
  ['well-known', ['well-known']],
  ['one - two', ['one two']],
  ['-one', []],
  ['-one -two', []],
  ['one OR two three', ['one', 'two three']],
  ['one or two', ['one', 'two']],
  ['OR one', ['one']],
  ['or', ['"or"']],
  [' OR or ', ['"or" "or"']],
  ['OR -one', []],
  ['one OR', ['one']],
  ['one OR OR two', ['one', 'two']],
  ['one OR -two', ['one']],
  ['"one or two"', ['"one or two"']],
  ['c++', ['c']],
  ['node.js v1.2.3', ['node js v 1.2.3']],
  ['ann@mailhost.org:8080', ['ann mailhost org 8080']],
  ['l’homme', ['l homme']],
  ["l'homme", ['l homme']],
  ['then—flamingo', ['then flamingo']],
  ['well\u2011known hippo\u00adpotamus', ['well-known hippopotamus']],
  ['covid-19 1914-1918 Q3-', ['covid,19 1914,1918 Q3']],
  ['"covid-19"', ['"covid 19"']],
  ['one -19', ['one -19']],
  ['one -1914-1918', ['one -1914,1918']],
  ['one -node.js', ['one -"node js"']],
  ['(-one)', ['one']],
  ['one(-two) !-three |-four', ['one two three four']],
  ['one<-two', ['one two']],
  ['one <or> two', ['one "or" two']],
  ['one/or/two (or', ['one "or" two "or"']],
  ['北京-one', ['one =北京']],
  ['北京or北海', ['"or" =北京 =北海']],
  ['&|!():* -(', []],
  ['docs/Hooks a', ['docs Hooks a']],
  ['<script> a', ['script a']],
  ['"docs/Hooks" -a/b', ['"docs Hooks" -"a b"']],
  ['!!! ?', []],
  ['', []],
  ['北京大学', ['=北京 =京大 =大学']],
  ['北京大学 history', ['history =北京 =京大 =大学']],
  ['history of北京', ['history of  =北京']],
  ['猫', ['猫*']],
  ['猫 -犬小屋', ['猫* -=犬小=小屋']],
  ['"日本 語"', ['=日本 語*']],
  ['한국어', ['=한국 =국어']],
];
for (const [typed, groups] of rows) {
  test(`${JSON.stringify(typed)} is ${JSON.stringify(groups)}`, () => {
    assert.deepEqual(
      parseQuery(typed).groups.map((group) => showGroup(group).replaceAll(/ +/g, ' ').trim()),
      groups.map((group) => group.replaceAll(/ +/g, ' ')),
    );
  });
}

test('words that may have a typo are those outside of quotes that are wanted; the last may be begun', () => {
  const words = (typed: string) => {
    const { words: all, last } = parseQuery(typed);
    return [...all, `last: ${last ?? 'none'}`];
  };
  assert.deepEqual(words('Moby Dick'), ['moby', 'dick', 'last: dick']);
  assert.deepEqual(words('moby moby'), ['moby', 'last: moby']);
  assert.deepEqual(words('"moby dick" whale'), ['whale', 'last: whale']);
  assert.deepEqual(words('whale "moby dick"'), ['whale', 'last: none']);
  assert.deepEqual(words('whale -ship'), ['whale', 'last: none']);
  assert.deepEqual(words('white-whale'), ['white', 'whale', 'last: whale']);
  assert.deepEqual(words('北京'), ['last: none']);
  assert.deepEqual(words('CAFE\u0301'), ['café', 'last: café']);
});

test('other words are allowed in place of some, phrases stay as they are', () => {
  const others = new Map([['wahle', ['whale', 'wale']]]);
  const wider = withAlternatives(parseQuery('white wahle "wahle" -wahle'), others);
  assert.deepEqual(wider.groups.map(showGroup), ['white wahle/whale/wale "wahle" -wahle']);
  const joined = withAlternatives(parseQuery('White-Wahle.'), others);
  assert.deepEqual(joined.groups.map(showGroup), ['White-Wahle/white-whale/white-wale']);
});

test('words are counted once, with the pairs of scripts without spaces, in the longest group', () => {
  const count = (typed: string) => wordCountOf(parseQuery(typed));
  assert.equal(count('white whale'), 2);
  assert.equal(count('whale Whale "white whale" -ship'), 2);
  assert.equal(count('whale OR white shark'), 2);
  assert.equal(count('node.js 3.14'), 4);
  assert.equal(count('北京大学 map'), 4);
  assert.equal(count('猫'), 1);
  assert.equal(count('-whale'), 1);
  const wahle = withAlternatives(parseQuery('wahle'), new Map([['wahle', ['whale', 'wale']]]));
  assert.equal(wordCountOf(wahle), 1);
});

test('without what was typed last, the rest is wanted', () => {
  const rest = (typed: string) => withoutLast(parseQuery(typed))?.groups.map(showGroup);
  assert.deepEqual(rest('parse5 8.0.'), ['parse5']);
  assert.deepEqual(rest('one OR two three'), ['one', 'two']);
  assert.equal(rest('one "two"'), undefined);
  assert.equal(rest('one'), undefined);
  assert.equal(rest(''), undefined);
});

test('any text is read, and read the same again', () => {
  const character = fc.oneof(
    fc.nat(0x10_ff_ff).map((point) => String.fromCodePoint(point)),
    fc.constantFrom('"', '-', ' ', 'or', ' or ', 'a', '7', '.', '北', '/', '(', '!'),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 200 }), (characters) => {
      const typed = characters.join('');
      const { groups, words, last } = parseQuery(typed);
      assert.deepEqual(parseQuery(typed), { groups, words, last });
      for (const { wanted, unwanted, pairs, starts } of groups) {
        assert.ok(wanted.length + pairs.length + starts.length > 0);
        // PostgreSQL recognizes no syntax in it except quotes.
        for (const text of [...wanted, ...unwanted].flatMap(({ alternatives }) => alternatives)) {
          assert.match(text, /^(?:"[^"]+"|[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.,-]*)$/u);
          assert.doesNotMatch(text, /^or$|[-,.]$/i);
        }
      }
      if (last !== undefined) assert.ok(words.includes(last));
    }),
  );
});

test('words without alternatives are read together, others one by one, unwanted ones apart', () => {
  const wider = withAlternatives(
    parseQuery('a wahle -x OR "b c"'),
    new Map([['wahle', ['whale']]]),
  );
  assert.deepEqual(textsToParse(wider), {
    groups: [0, 0, 0, 0, 1],
    parts: [-1, 1, 1, 0, -1],
    unwanted: [false, false, false, true, false],
    typed: [true, true, false, true, true],
    texts: ['a', 'wahle', 'whale', 'x', '"b c"'],
    groupCount: 2,
  });
});
