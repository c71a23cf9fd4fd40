// Snippets: which place of a text is shown, and what is marked in it, in code points.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limits } from '@colophon/contract';
import { beginningsOf, placesToLook, snippetOf, wordsLike } from './snippets.ts';
import type { Looked, Snippet } from './snippets.ts';

const looking = (words: readonly string[], pairs: readonly string[] = []): Looked => ({
  isMatch: (word) => words.includes(word),
  pairs,
});

function marked({ text, matches }: Snippet): string[] {
  const points = [...text];
  return matches.map(([start, end]) => points.slice(start, end).join(''));
}

const rows: readonly [text: string, looked: Looked, expected: readonly string[]][] = [
  ['The whale and the ship', looking(['whale']), ['whale']],
  ['Whale, WHALE; whale-ship', looking(['whale']), ['Whale', 'WHALE', 'whale']],
  ['🦉🦉 whale 🦉 whale', looking(['whale']), ['whale', 'whale']],
  ['Die Häuser', looking(['häuser']), ['Häuser']],
  ['Белый кит', looking(['кит']), ['кит']],
  ['الحوت الأبيض', looking(['الحوت']), ['الحوت']],
  ['这是北京大学的故事', looking([], ['北京', '京大', '大学']), ['北京大学']],
  ['北京 and 大学', looking([], ['北京', '大学']), ['北京', '大学']],
  ['nothing here', looking(['whale']), []],
  ['', looking(['whale']), []],
];
for (const [text, looked, expected] of rows) {
  test(`in ${JSON.stringify(text)} is marked ${expected.join(', ') || 'nothing'}`, () => {
    const snippet = snippetOf(text, looked);
    assert.deepEqual(marked(snippet), expected);
    assert.equal(snippet.text, text);
    assert.equal(snippet.trust, 'untrusted');
  });
}

test('a long text is cut around its matches, at the borders of words', () => {
  const text = `${'before '.repeat(100)}the whale ${'after '.repeat(100)}`.trim();
  const snippet = snippetOf(text, looking(['whale']));
  assert.match(snippet.text, /^…before .* the whale after .*after…$/);
  assert.ok([...snippet.text].length <= limits.snippet_max);
  assert.deepEqual(marked(snippet), ['whale']);
});

test('of several places that is shown where most of the words are together', () => {
  const filler = 'word '.repeat(100);
  const text = `whale ${filler} ship ${filler} whale and ship ${filler}`;
  assert.deepEqual(marked(snippetOf(text, looking(['whale', 'ship']))), ['whale', 'ship']);
});

test('a text without a match is shown from its beginning', () => {
  assert.match(snippetOf('word '.repeat(200), looking(['x'])).text, /^word .*…$/);
});

test('words like a lexeme begin as it does; short lexemes ask for one letter', () => {
  const text = 'Running runs ran; dying, die, dog. Rune';
  assert.deepEqual(wordsLike(text, beginningsOf(['run'])), ['running', 'runs', 'ran', 'rune']);
  assert.deepEqual(wordsLike(text, beginningsOf(['die'])), ['dying', 'die', 'dog']);
  assert.deepEqual(wordsLike('jumps jumping juggling', beginningsOf(['jump'])), [
    'jumps',
    'jumping',
  ]);
});

test('a word is one from its first letter on, whatever its script, and lexemes may hold anything', () => {
  assert.deepEqual(wordsLike('prerun 𐐷run Run', beginningsOf(['run'])), ['run']);
  assert.deepEqual(wordsLike('a.b*c d', beginningsOf(['a.b*c', '(', '[', '\\', '-'])), ['a.b']);
  assert.deepEqual(wordsLike('anything', beginningsOf([])), []);
  assert.deepEqual(wordsLike('ÄRGER ärgern', beginningsOf(['arger'])), ['ärger', 'ärgern']);
  assert.deepEqual(wordsLike('Garten', beginningsOf(['gärt'])), ['garten']);
});

test('places to look at lie far from each other, three at most', () => {
  const text = `whale whale ${'x '.repeat(400)}whale ${'x '.repeat(400)}whale ${'x '.repeat(400)}whale`;
  assert.deepEqual(placesToLook(text, looking(['whale'])), [0, 812, 1618]);
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
      const snippet = snippetOf(pieces.join(''), looking(['whale'], ['北京']));
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
