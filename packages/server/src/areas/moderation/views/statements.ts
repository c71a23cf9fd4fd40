// Statements of reasons and their counts, in JSON and CSV.
import { csvOf } from '../rules/csv.ts';
import type { CountRow, StatementRow } from '../queries/index.ts';

export const csvType = 'text/csv; charset=utf-8; header=present';

/** Whether the action was automated, without a decision by a person. */
function isAutomated({ source }: Pick<StatementRow, 'source'>): boolean {
  return source === 'automated';
}

export function statementView(row: StatementRow) {
  return { ...row, automated: isAutomated(row) };
}

export function countView(row: CountRow) {
  return { ...row, automated: isAutomated(row) };
}

const reasons = ['target_type', 'action', 'reason_code', 'source', 'automated'] as const;

export function statementsCsv(items: readonly ReturnType<typeof statementView>[]): string {
  return csvOf(['id', 'created_at', ...reasons, 'appeal'], items);
}

export function countsCsv(month: string, items: readonly ReturnType<typeof countView>[]): string {
  const rows = items.map((item) => ({ month, ...item }));
  return csvOf(['month', ...reasons, 'actions', 'appeals', 'appeals_upheld'], rows);
}

/** Returns the cursor of the page after a statement: its time in milliseconds and its id. */
export function cursorAfter({ created_at, id }: StatementRow): string {
  return `${Date.parse(created_at)}-${id}`;
}
