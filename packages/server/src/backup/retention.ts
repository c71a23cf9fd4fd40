// Which scheduled backups are kept: the newest ones of days, weeks and months that have any.

const days = 7;
const weeks = 4;
const months = 12;
const dayMs = 86_400_000;

/** Monday of the week, so that a week is the same in two years. */
function weekOf(time: Date): string {
  const sinceMonday = (time.getUTCDay() + 6) % 7;
  return new Date(time.getTime() - sinceMonday * dayMs).toISOString().slice(0, 10);
}

const rules: readonly { readonly periodOf: (time: Date) => string; readonly count: number }[] = [
  { periodOf: (time) => time.toISOString().slice(0, 10), count: days },
  { periodOf: weekOf, count: weeks },
  { periodOf: (time) => time.toISOString().slice(0, 7), count: months },
];

export interface Dated {
  readonly name: string;
  readonly time: Date;
}

/**
 * Returns the backups to delete. Periods without a backup do not count, so that a schedule that stopped loses
 * nothing; the newest backup is always kept.
 */
export function expiredBackups(backups: readonly Dated[]): readonly Dated[] {
  const newestFirst = backups.toSorted((one, other) => other.time.getTime() - one.time.getTime());
  const kept = new Set<Dated>();
  for (const { periodOf, count } of rules) {
    const periods = new Map<string, Dated>();
    for (const one of newestFirst) {
      const period = periodOf(one.time);
      if (!periods.has(period)) periods.set(period, one);
    }
    for (const one of [...periods.values()].slice(0, count)) kept.add(one);
  }
  return newestFirst.filter((one) => !kept.has(one));
}
