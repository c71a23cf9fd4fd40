// Weeks of a year, which begin on Monday in UTC.

const dayMs = 86_400_000;
/** The weeks of a year, and the one that has begun. */
const weeksShown = 53;

/** Returns the beginning of the first of the 53 weeks that end with the week of a time. */
export function firstWeekOf(now: Date): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(midnight - (sinceMonday + 7 * (weeksShown - 1)) * dayMs);
}

/** Returns the Mondays of the weeks from the first one on, as `2026-11-23`. */
export function weeksFrom(first: string): readonly string[] {
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: weeksShown }, (_, index) =>
    new Date(start + index * 7 * dayMs).toISOString().slice(0, 10),
  );
}
