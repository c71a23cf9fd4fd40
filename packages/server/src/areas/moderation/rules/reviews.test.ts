// Claims and closing of reports: each status for each moderator, and the time when a claim lapses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimedUntil, lapsedUntil, mayAct, statusAt } from './reviews.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const claimAt = (at: string) => ({ status: 'reviewing', claimed_by: 'A', claimed_at: at }) as const;
const unclaimed = { claimed_by: null, claimed_at: null };
const fresh = claimAt('2026-11-20T12:00:00.001Z');
const lapsed = claimAt('2026-11-20T12:00:00.000Z');

const table = [
  ['open', { status: 'open', ...unclaimed }, 'open', true, true],
  ['claimed', fresh, 'reviewing', true, false],
  ['claimed a day ago', lapsed, 'open', true, true],
  ['rejected', { status: 'rejected', ...unclaimed }, 'rejected', false, false],
  ['actioned', { status: 'actioned', ...unclaimed }, 'actioned', false, false],
] as const;

for (const [what, report, status, claimant, other] of table) {
  test(`${what}: ${status}; to be closed by the claimant: ${claimant}, by another: ${other}`, () => {
    assert.equal(statusAt(report, now), status);
    assert.equal(mayAct(report, 'A', now), claimant);
    assert.equal(mayAct(report, 'B', now), other);
  });
}

test('a claim ends 24 hours after it was made, to the millisecond', () => {
  assert.equal(claimedUntil(fresh, now)?.toISOString(), '2026-11-21T12:00:00.001Z');
  assert.equal(claimedUntil(lapsed, now), null);
  assert.equal(lapsedUntil(now).toISOString(), lapsed.claimed_at);
});
