// The answers for a record that was removed: 410 gone, or 451 when the law required it.
import type { Problems } from './problem.ts';

interface Removal {
  readonly removed_at: string | null;
  readonly removed_legally: boolean;
  readonly reason_code: string | null;
}

/**
 * Requires that a record is present. `what` names its type; `how` says how it went (`removed`, `deleted`),
 * undefined if it did not. @throws gone, unavailable-for-legal-reasons
 */
export function requirePresent(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  what: string,
  { removed_at, removed_legally, reason_code }: Removal,
  how: string | undefined,
): void {
  const members = {
    ...(removed_at === null ? {} : { removed_at }),
    ...(reason_code === null ? {} : { reason_code }),
  };
  if (removed_legally) {
    const detail = `The ${what} was removed for legal reasons.`;
    throw problem('unavailable-for-legal-reasons', detail, members);
  }
  const on = removed_at === null ? '' : ` on ${removed_at}`;
  if (how !== undefined) throw problem('gone', `The ${what} was ${how}${on}.`, members);
}
