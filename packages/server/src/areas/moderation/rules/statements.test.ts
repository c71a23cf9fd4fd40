// Months, cursors and media types of statements.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorAfter } from '../views/statements.ts';
import { monthOf, positionOf, wantsCsv } from './statements.ts';

test('a month begins with its first millisecond and ends before that of the next one', () => {
  const now = new Date('2026-03-31T23:59:59.999Z');
  const cases = [
    ['2026-12', '2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02', '2028-02', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    [undefined, '2026-03', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
  ] as const;
  for (const [name, month, from, until] of cases)
    assert.deepEqual(monthOf(name, now), { month, from: new Date(from), until: new Date(until) });
});

test('a cursor leads back to the statement that it was made of', () => {
  const row = {
    id: 'ab'.repeat(16),
    target_type: 'article',
    action: 'hide',
    reason_code: 'spam',
    source: 'report',
    appeal: null,
    created_at: '2026-11-21T17:12:00.123Z',
  } as const;
  assert.deepEqual(positionOf(cursorAfter(row)), { time: new Date(row.created_at), id: row.id });
});

test('the query goes before the header', () => {
  assert.equal(wantsCsv(undefined, 'text/csv'), true);
  assert.equal(wantsCsv(undefined, 'application/json'), false);
  assert.equal(wantsCsv('json', 'text/csv'), false);
  assert.equal(wantsCsv('csv', 'application/json'), true);
});
