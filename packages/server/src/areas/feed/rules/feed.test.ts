// Cursors: written ones can be read, and nothing else can.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCodePoint } from '#test/any-text';
import {
  activeCursor,
  followedCursor,
  readActiveCursor,
  readFollowedCursor,
  readScoreCursor,
  readSizeCursor,
  scoreCursor,
  sizeCursor,
} from './feed.ts';
import { dateCursor, readDateCursor } from '#lib/list-cursor';

const id = '01JZZZZZZZZZZZZZZZZZZZZZZZ';
const date = '2026-03-01T12:00:00.000Z';
const readers = [
  readDateCursor,
  readScoreCursor,
  readActiveCursor,
  readSizeCursor,
  readFollowedCursor,
];

test('a cursor is read by its own list, as it was written', () => {
  const score = 119.12345678901235;
  assert.deepEqual(readDateCursor(dateCursor({ published_at: date, id })), {
    published_at: date,
    id,
  });
  assert.deepEqual(readScoreCursor(scoreCursor({ score, id, asOf: date })), {
    score,
    id,
    asOf: date,
  });
  assert.deepEqual(readActiveCursor(activeCursor({ last_published_at: date, slug: '深海' })), {
    last_published_at: date,
    slug: '深海',
  });
  assert.deepEqual(readSizeCursor(sizeCursor({ article_count: 3, slug: 'c++' })), {
    article_count: 3,
    slug: 'c++',
  });
});

test('a cursor of another list is refused', () => {
  const cursors = [
    dateCursor({ published_at: date, id }),
    scoreCursor({ score: 1, id, asOf: date }),
    activeCursor({ last_published_at: date, slug: 'a-b' }),
    sizeCursor({ article_count: 1, slug: 'a-b' }),
    followedCursor({ published_at: date, id }),
  ];
  for (const [place, cursor] of cursors.entries())
    for (const [reader, read] of readers.entries())
      assert.equal(read(cursor) !== undefined, place === reader, `${place} by ${reader}`);
});

test('an invented cursor is refused, member by member', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const value of [
    null,
    {},
    [],
    'date',
    ['date'],
    ['date', date],
    ['date', date, id.slice(1)],
    ['date', '2026-02-30T12:00:00.000Z', id],
    ['followed', date],
    ['followed', 'now', id],
    ['score', '1', id, date],
    ['score', null, id, date],
    ['score', 1, id, 'now'],
    ['active', date, ''],
    ['active', date, 'a\0b'],
    ['active', date, '\ud800'],
    ['size', 1.5, 'a-b'],
    ['size', 2 ** 31, 'a-b'],
    ['size', 1, 7],
  ])
    for (const read of readers)
      assert.equal(read(encoded(value)), undefined, JSON.stringify(value));
});

test('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (text) => {
      for (const read of readers) assert.equal(read(text), undefined);
    }),
  );
});
