// Dates that people write become times as the service takes them; dates that do not exist are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOf } from '../src/dates.ts';
import { openHome } from './run-cli.ts';

test('dates and times with and without a zone', () => {
  assert.equal(timeOf('2026-11-23 17:38:29 +0100'), '2026-11-23T16:38:29.000Z');
  assert.equal(timeOf('2026-11-23T17:38:29-05:30'), '2026-11-23T23:08:29.000Z');
  assert.equal(timeOf('2026-11-23'), '2026-11-23T00:00:00.000Z');
  assert.equal(timeOf('2026-11-23 17:38 UTC'), '2026-11-23T17:38:00.000Z');
  assert.equal(timeOf('2028-02-29'), '2028-02-29T00:00:00.000Z');
  assert.equal(timeOf('2026-11-23T17:38:29.5z'), '2026-11-23T17:38:29.500Z');
});

test('other texts, and dates that do not exist, are none', () => {
  const wrong = ['', 'yesterday', '2026-13-40', '23.11.2026', '2027-02-29', '2027-04-31'];
  for (const text of [...wrong, '2027-02-31T10:00:00Z', '2027-01-31T25:00:00Z'])
    assert.equal(timeOf(text), undefined, text);
});

test('a token cannot expire on a date that does not exist', async () => {
  await using home = await openHome();
  const { code, err } = await home.run('token issue --name ci --expires 2027-02-31');
  assert.equal(code, 2);
  assert.match(err, /2027-02-31[^]*Write a date that exists/);
});
