// Tests that text which is certainly code is code for the renderer too, in any context.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutCode } from './shown-code.ts';
import { signalsIn } from './signals.ts';
import { createRenderer } from '../markdown/renderer.ts';
import { effort } from '../../../server/test/effort.ts';

const render = createRenderer({
  baseUrl: 'https://base.example',
  mediaBaseUrl: 'https://m.example',
});

const marks = ['`', '`', '``', '```', '~~~', '\n', '\n', '\n\n', '\r\n', ' ', '  ', '    ', '\t'];
const blocks = [
  '- ',
  '> ',
  '1. ',
  '+ ',
  '# ',
  '---\n',
  '| - | -\n',
  '|',
  '[^1]: ',
  '[a]: ',
  '<div>',
];
const inlines = ['[', ']', '](', '(', ')', '![', '<', '>', '<a href="', 'https://e.example/', '\\'];
const words = ['a', 'Text', '"', "'", '*', '!'];
const comment = '<!--';
const pieces = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...marks, ...blocks, ...inlines, ...words) },
    { weight: 1, arbitrary: fc.constant(comment) },
  ),
  { maxLength: 40 },
);

/** The numbers in comments that are inside of code. */
function numbersInCode(html: string): Set<string> {
  const code = Array.from(html.matchAll(/<code[^>]*>(.*?)<\/code>/gs), ([, inside = '']) => inside);
  const numbers = code.flatMap((inside) => Array.from(inside.matchAll(/&lt;!--(\d+)-/g)));
  return new Set(numbers.map(([, number = '']) => number));
}

test('a comment that is taken for code is shown as code, or its whole note is not shown and reported', () => {
  fc.assert(
    fc.property(pieces, (chosen) => {
      const text = chosen.map((one, at) => (one === comment ? `<!--${at}-->` : one)).join('');
      const copy = withoutCode(text);
      assert.equal(copy.length, text.length);
      const { html } = render(text);
      const inCode = numbersInCode(html);
      for (const [whole, number = ''] of text.matchAll(/<!--(\d+)-->/g)) {
        if (copy.includes(whole) || inCode.has(number)) continue;
        assert.ok(!html.includes(`--${number}--`), JSON.stringify(text));
        const kinds = signalsIn(text).map(({ kind }) => kind);
        assert.ok(kinds.includes('hidden_links'), JSON.stringify(text));
      }
    }),
    { numRuns: effort(5_000, 100_000) },
  );
});

test('what looks like code is taken for code', () => {
  const texts = [
    'a `<!-- -->` b',
    '```\n<!-- -->',
    '~~~js\r\n<!-- -->\r\n~~~\r\n',
    'Text.\n\n    <!-- -->\n\n    <!-- -->',
    '- a\n\n  ```\n  <!-- -->\n  ```',
    'Text.[^1]\n\n[^1]: a `<!-- -->` b',
  ];
  for (const text of texts) assert.doesNotMatch(withoutCode(text), /<!--/, text);
});
