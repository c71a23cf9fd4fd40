// Snippets: which part of a text is shown, and what is marked in it, in code points.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limits } from '@colophon/contract';
import { beginningsOf, matchesIn, positionsToSearch, snippetOf, wordsLike } from './snippets.ts';
import type { Marking, Snippet } from './snippets.ts';

const lookFor = (words: readonly string[], pairs: readonly string[] = []): Marking => ({
  isMatch: (word) => words.includes(word),
  pairs,
});

function markedPieces({ text, matches }: Snippet): string[] {
  const points = [...text];
  return matches.map(([start, end]) => points.slice(start, end).join(''));
}

const rows: readonly [text: string, looked: Marking, expected: readonly string[]][] = [
  ['The whale and the ship', lookFor(['whale']), ['whale']],
  ['Whale, WHALE; whale-ship', lookFor(['whale']), ['Whale', 'WHALE', 'whale']],
  ['🦉🦉 whale 🦉 whale', lookFor(['whale']), ['whale', 'whale']],
  ['Die Häuser', lookFor(['häuser']), ['Häuser']],
  ['Белый кит', lookFor(['кит']), ['кит']],
  ['الحوت الأبيض', lookFor(['الحوت']), ['الحوت']],
  ['这是北京大学的故事', lookFor([], ['北京', '京大', '大学']), ['北京大学']],
  ['北京 and 大学', lookFor([], ['北京', '大学']), ['北京', '大学']],
  ['…然后iPhone手机来了', lookFor(['iphone']), ['iPhone']],
  ['iPhone手机', lookFor(['iphone'], ['手机']), ['iPhone', '手机']],
  ['王小明', lookFor(['王小明'], ['王小', '小明']), ['王小明']],
  ['of v1.2.3 and 3.14.', lookFor(['3.14', '1.2.3']), ['3.14']],
  ['می\u200cخواهم بروم', lookFor(['میخواهم']), ['می\u200cخواهم']],
  ['nothing here', lookFor(['whale']), []],
  ['', lookFor(['whale']), []],
];
for (const [text, looked, expected] of rows) {
  test(`in ${JSON.stringify(text)} is marked ${expected.join(', ') || 'nothing'}`, () => {
    const snippet = snippetOf(text, looked);
    assert.deepEqual(markedPieces(snippet), expected);
    assert.equal(snippet.text, text);
    assert.equal(snippet.trust, 'untrusted');
  });
}

test('decomposed characters are shown composed, and soft hyphens not at all', () => {
  const snippet = snippetOf(
    'Un re\u0301sume\u0301, hippo\u00adpotamus',
    lookFor(['résumé', 'hippopotamus']),
  );
  assert.equal(snippet.text, 'Un résumé, hippopotamus');
  assert.deepEqual(markedPieces(snippet), ['résumé', 'hippopotamus']);
});

test('a long text is cut around its matches, at the borders of words', () => {
  const text = `${'before '.repeat(100)}the whale ${'after '.repeat(100)}`.trim();
  const snippet = snippetOf(text, lookFor(['whale']));
  assert.match(snippet.text, /^…before .* the whale after .*after…$/);
  assert.ok([...snippet.text].length <= limits.snippet_max);
  assert.deepEqual(markedPieces(snippet), ['whale']);
});

test('of several places that is shown where most of the words are together', () => {
  const filler = 'word '.repeat(100);
  const text = `whale ${filler} ship ${filler} whale and ship ${filler}`;
  assert.deepEqual(markedPieces(snippetOf(text, lookFor(['whale', 'ship']))), ['whale', 'ship']);
});

test('a text without a match is shown from its beginning', () => {
  assert.match(snippetOf('word '.repeat(200), lookFor(['x'])).text, /^word .*…$/);
});

const like = (text: string, beginnings: RegExp) => [...wordsLike(text, beginnings).keys()];

test('words like a lexeme begin as it does; short lexemes ask for one letter', () => {
  const text = 'Running runs ran; dying, die, dog. Rune';
  assert.deepEqual(like(text, beginningsOf(['run'])), ['running', 'runs', 'ran', 'rune']);
  assert.deepEqual(like(text, beginningsOf(['die'])), ['dying', 'die', 'dog']);
  assert.deepEqual(like('jumps jumping juggling', beginningsOf(['jump'])), ['jumps', 'jumping']);
});

test('a word is one from its first letter on, whatever its script, and lexemes may contain anything', () => {
  assert.deepEqual(like('prerun 𐐷run Run', beginningsOf(['run'])), ['run']);
  assert.deepEqual(like('a.b*c d', beginningsOf(['a.b*c', '(', '[', '\\', '-'])), ['a.b']);
  assert.deepEqual(like('anything', beginningsOf([])), []);
  assert.deepEqual(like('ÄRGER ärgern', beginningsOf(['arger'])), ['ärger', 'ärgern']);
  assert.deepEqual(like('Garten', beginningsOf(['gärt'])), ['garten']);
  assert.deepEqual(like('un covid-19', beginningsOf(['-19', '!'])), []);
  assert.deepEqual(like('v1.2.3 x1 1.2', beginningsOf(['1.2.3'])), ['1.2.3', '1.2']);
});

const spellings: readonly (readonly [lexeme: string, text: string])[] = [
  ['दुनिया', 'दुनिया'],
  ['việt', 'Việt'],
  ['viet', 'VIỆT'],
  ['ёлка', 'Ёлка'],
  ['елк', 'ёлка'],
  ['йогурт', 'йогурт'],
  ['ανθρωπ', 'άνθρωπος'],
  ['میخواهم', 'می\u200cخواهم'],
  ['ação', 'ação'],
];
for (const [lexeme, text] of spellings) {
  test(`${text} may be a form of ${lexeme}`, () => {
    assert.equal(like(text, beginningsOf([lexeme])).length, 1);
  });
}

test('places to look at lie far from each other, three at most', () => {
  const text = `whale whale ${'x '.repeat(400)}whale ${'x '.repeat(400)}whale ${'x '.repeat(400)}whale`;
  const words = wordsLike(text, beginningsOf(['whale']));
  assert.deepEqual(positionsToSearch(text, lookFor(['whale']), words), [0, 812, 1618]);
});

test('ranges are in order and apart, whatever matches', () => {
  const piece = fc.constantFrom('ab', '北', '京', '大', ' ', '-', '🦉', '3.1', 'v', '\u00ad');
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.subarray(['北京', '京大', '大', '北']),
      (pieces, pairs) => {
        let at = 0;
        const looked = { isMatch: () => true, pairs, beginnings: undefined };
        for (const [start, end] of matchesIn(pieces.join(''), looked)) {
          assert.ok(start >= at && end > start);
          at = end;
        }
      },
    ),
  );
});

test('whatever the text is, matches lie in it, in order, and say what was looked for', () => {
  const piece = fc.constantFrom(
    'whale',
    'ship',
    ' ',
    '🦉',
    '北京',
    'é',
    '\u0301',
    '-',
    'Whale',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
      const snippet = snippetOf(pieces.join(''), lookFor(['whale'], ['北京']));
      const points = [...snippet.text];
      assert.ok(points.length <= limits.snippet_max);
      let at = 0;
      for (const [start, end] of snippet.matches) {
        assert.ok(start >= at && end > start && end <= points.length);
        at = end;
        assert.match(points.slice(start, end).join(''), /^(?:whale|(?:北京)+)$/i);
      }
    }),
  );
});

test('of a word that a text repeats without end the first 4,000 places are known', () => {
  const words = wordsLike('whale '.repeat(50_000), beginningsOf(['whale']));
  assert.equal(words.get('whale')?.length, 4_000);
});

test('a word longer than a query is not looked at, and one as long is', () => {
  const [longest, longer] = [200, 201].map((units) => `whale${'e'.repeat(units - 5)}`);
  const words = wordsLike(`${longest} ${longer} whale`, beginningsOf(['whale']));
  assert.deepEqual([...words.keys()], [longest, 'whale']);
  assert.deepEqual(markedPieces(snippetOf(`${longest}`, lookFor([`${longest}`]))), [longest]);
  assert.deepEqual(markedPieces(snippetOf(`${longer}`, lookFor([`${longer}`]))), []);
});

test('of the different words of a text the first 8,000 units are looked at', () => {
  const words = Array.from({ length: 100 }, (_, n) => `whale${100 + n}${'e'.repeat(92)}`);
  assert.equal(wordsLike(words.join(' '), beginningsOf(['whale'])).size, 80);
});

test('places of a pair are looked for where they are far apart', () => {
  const places = positionsToSearch('漢'.repeat(200_000), lookFor([], ['漢漢']), new Map());
  assert.deepEqual(places, [0, 601, 1202]);
});
