// Which backups are deleted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backupName, timeOfBackup } from './file-names.ts';
import { expiredBackups } from './retention.ts';
import type { Dated } from './retention.ts';

const dateOf = (text: string): Dated => ({ name: text, time: new Date(text) });
const daily = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    dateOf(new Date(Date.UTC(2026, 10, 23, 3) - index * 86_400_000).toISOString()),
  );

test('after two years of daily backups, 7 days, 4 weeks and 12 months are kept', () => {
  const all = daily(730);
  const expired = new Set(expiredBackups(all));
  const kept = all.filter((one) => !expired.has(one)).map(({ name }) => name.slice(0, 10));
  const wanted = [
    '2026-11-23 2026-11-22 2026-11-21 2026-11-20 2026-11-19 2026-11-18',
    '2026-11-17 2026-11-15 2026-11-08 2026-10-31 2026-09-30 2026-08-31',
    '2026-07-31 2026-06-30 2026-05-31 2026-04-30 2026-03-31 2026-02-28',
    '2026-01-31 2025-12-31',
  ];
  assert.equal(kept.join(' '), wanted.join(' '));
});

test('deleting day by day keeps the same as deleting at once', () => {
  const all = daily(400);
  let kept: Dated[] = [];
  for (const one of all.toReversed()) {
    kept.push(one);
    const expired = new Set(expiredBackups(kept));
    kept = kept.filter((other) => !expired.has(other));
  }
  const expired = new Set(expiredBackups(all));
  const atOnce = all.filter((one) => !expired.has(one));
  assert.deepEqual(
    kept.map(({ name }) => name).toSorted(),
    atOnce.map(({ name }) => name).toSorted(),
  );
});

test('the last one is never deleted, however old, and of one day the newest is kept', () => {
  assert.deepEqual(expiredBackups([]), []);
  assert.deepEqual(expiredBackups([dateOf('2001-01-01T00:00:00Z')]), []);
  const [early, late] = [dateOf('2026-11-23T01:00:00Z'), dateOf('2026-11-23T02:00:00Z')];
  assert.deepEqual(expiredBackups([early, late]), [early]);
});

test('a name contains the time, and other names are not backups', () => {
  const at = new Date('2026-11-23T20:30:05.123Z');
  assert.equal(backupName(at, false), 'colophon-2026-11-23T20-30-05.123Z.tar');
  assert.equal(timeOfBackup(backupName(at, true))?.toISOString(), '2026-11-23T20:30:05.123Z');
  const older = timeOfBackup('colophon-2026-11-23T20-30-05Z.tar');
  assert.equal(older?.toISOString(), '2026-11-23T20:30:05.000Z');
  for (const name of ['notes.txt', 'colophon-2026-13-40T99-30-05Z.tar', 'colophon-x.tar'])
    assert.equal(timeOfBackup(name), undefined);
});
