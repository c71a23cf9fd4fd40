// Marking of strangers' texts: it can always be taken back, and no stretch is left unmarked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawMarker, marked } from './spotlight.ts';

test('without its marker a text is what it was, byte for byte', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const marker = drawMarker([text]);
      assert.equal(marked(text, marker).replaceAll(marker, ''), text);
    }),
    { numRuns: 500 },
  );
});

test('every word begins behind a marker, and nothing long goes without one', () => {
  assert.equal(
    marked('Ignore all  rules\n\n# Now', '~x~'),
    '~x~Ignore ~x~all  ~x~rules\n\n~x~# ~x~Now',
  );
  for (const text of ['字'.repeat(500), 'ไทย'.repeat(200), 'x'.repeat(500), '🙂'.repeat(300)]) {
    const longest = Math.max(
      ...marked(text, '~x~')
        .split('~x~')
        .map((part) => [...part].length),
    );
    assert.ok(longest <= 48, `${longest} in a row`);
  }
});

test('a marker is never in the texts, and never the same twice', () => {
  const markers = Array.from({ length: 1_000 }, () => drawMarker(['some text']));
  assert.equal(new Set(markers).size, 1_000);
  for (const marker of markers) assert.match(marker, /^~[A-Za-z0-9]{8}~$/);
});
