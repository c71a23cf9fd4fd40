// Cursors of ranked lists: valid for their own search, and rejected otherwise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cursorOf, readCursor } from './search-request.ts';

const id = '01J00000000000000000000000';
const asOf = 1_790_000_000_000;
const end = { score: 1.25, id, shown: 20, extent: 1, asOf };

test('a cursor is read back by the same search, whatever the page size and the order of parameters', () => {
  const cursor = cursorOf(end, { q: 'whale', language: 'en', limit: 20 });
  assert.deepEqual(readCursor(cursor, { language: 'en', q: 'whale', limit: 5, cursor }), end);
  assert.equal(readCursor(cursor, { q: 'whale' }), 'other');
  assert.equal(readCursor(cursor, { q: 'whales', language: 'en' }), 'other');
});

test('what is not a cursor is told apart', () => {
  const wrong = [
    [],
    {},
    null,
    ['x', 1, id, 1, 0],
    ['x', '1', id, 1, 0, asOf],
    ['x', 1, id, -1, 0, asOf],
    ['x', 1, id, 0.5, 0, asOf],
    ['x', 1, '\0', 1, 0, asOf],
    ['x', 1, 'X', 1, 0, asOf],
    ['x', 1, id, 1, -1, asOf],
    ['x', 1, id, 1, 0.5, asOf],
    ['x', 1, id, 1, 0, -1],
    ['x', 1, id, 1, 0, 8.64e15],
    ['x', 1, id, 1, 0, '2026-01-01'],
  ];
  for (const value of wrong) {
    const text = Buffer.from(JSON.stringify(value)).toString('base64url');
    assert.equal(readCursor(text, { q: 'whale' }), 'wrong', text);
  }
  fc.assert(fc.property(fc.string(), (text) => typeof readCursor(text, { q: 'x' }) === 'string'));
});

test('a score that is not a number, or an invalid step, is refused', () => {
  for (const value of [`["x",1e999,"${id}",1,0,1]`, `["x",1,"${id}",1,1e999,1]`]) {
    const text = Buffer.from(value).toString('base64url');
    assert.equal(readCursor(text, { q: 'whale' }), 'wrong', value);
  }
});

test('scores are kept to the last digit', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (score) => {
      const read = readCursor(cursorOf({ ...end, score: score + 0 }, { q: 'x' }), { q: 'x' });
      assert.equal(typeof read === 'object' && read.score, score + 0);
    }),
  );
});
