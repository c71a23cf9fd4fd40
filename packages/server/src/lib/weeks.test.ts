// Weeks: 53 Mondays, the last one of this week.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstWeekOf, weeksFrom } from './weeks.ts';

test('the 53rd Monday is the one of the week of any time', () => {
  const times = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(times, (now) => {
      const first = firstWeekOf(now);
      const weeks = weeksFrom(first.toISOString().slice(0, 10));
      const last = Date.parse(`${weeks.at(-1)}T00:00:00Z`);
      assert.equal(new Date(last).getUTCDay(), 1);
      assert.ok(last <= now.getTime() && now.getTime() < last + 7 * 86_400_000);
      assert.equal(new Set(weeks).size, 53);
    }),
  );
});
