// The moderators' view of appeals.
import type { AppealRow } from '../queries/index.ts';

export function appealView({
  author_id: _author,
  owner_principal_id: _owner,
  lifted_at: _lifted,
  ...shown
}: AppealRow) {
  return { ...shown, trust: 'untrusted' as const };
}
