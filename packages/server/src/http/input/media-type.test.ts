// Tests of content negotiation: which of the available media types a request prefers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isNamed, preferredType } from './media-type.ts';
import { effort } from '#test/effort';

const types = ['text/html', 'text/markdown'];

const cases: readonly (readonly [accept: string | undefined, preferred: string | undefined])[] = [
  [undefined, 'text/html'],
  ['*/*', 'text/html'],
  ['text/markdown', 'text/markdown'],
  ['text/markdown; charset=utf-8', 'text/markdown'],
  ['text/markdown;charset=UTF-8, */*;q=0.1', 'text/markdown'],
  ['text/markdown; variant=GFM', 'text/markdown'],
  ['text/markdown ; variant = GFM ; q = 0.9, text/html;q=0.5', 'text/markdown'],
  ['text/markdown;q=0.4;variant=GFM, text/html;q=0.5', 'text/html'],
  ['text/markdown;variant="a,b;q=0\\";q=0", text/html;q=0.9', 'text/markdown'],
  ['text/markdown;variant="never ends, text/html', 'text/markdown'],
  ['text/markdown;variant=GFM;q=0.2, text/markdown;q=0.8, text/html;q=0.5', 'text/markdown'],
  ['text/markdown;charset=utf-8;q=0', undefined],
  ['*/*;q=0.5, text/html;level=1;q=0', 'text/markdown'],
  ['TEXT/MARKDOWN;Charset=utf-8;Q=0.9, text/html;q=0.5', 'text/markdown'],
  ['text/markdown;;, text/html;q=0.5', 'text/markdown'],
  ['text/markdown;quality=0, text/html;q=0.5', 'text/markdown'],
  ['application/json', undefined],
];
for (const [accept, preferred] of cases) {
  test(`Accept: ${accept} → ${preferred}`, () =>
    assert.equal(preferredType(accept, types), preferred));
}

test('a type is named by itself, with parameters too, and not by what covers many', () => {
  assert.equal(isNamed('text/html;charset=utf-8, */*', 'text/html'), true);
  assert.equal(isNamed('text/*, */*', 'text/html'), false);
  assert.equal(isNamed('text/html;q=0', 'text/html'), false);
});

test('property: parameters of ranges choose nothing, and no header throws', () => {
  const range = fc.constantFrom('text/html', 'text/markdown', 'text/*', '*/*', 'image/png');
  const weight = fc.constantFrom('', ';q=0', ';q=0.3', '; q=0.7', ';Q=1');
  const extra = fc.constantFrom('', ';v=b3', '; charset="utf-8"', ';a="x, y;q=0"', ' ; level = 1');
  const ranges = fc.array(fc.tuple(range, extra, weight, extra), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(ranges, (made) => {
      const plain = made.map(([name, , q]) => name + q).join(', ');
      const full = made.map((parts) => parts.join('')).join(', ');
      assert.equal(preferredType(full, types), preferredType(plain, types), full);
    }),
    { numRuns: effort(500, 10_000) },
  );
  const sign = fc.constantFrom(...'text/markdown;,="\\q *0.5 ');
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 60 }), (accept) => {
      preferredType(accept, types);
    }),
    { numRuns: effort(500, 10_000) },
  );
});
