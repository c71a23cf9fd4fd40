// The records of moderation that pages show, as operations return them.
import type { AnswerOf, OperationName, Operations } from '@colophon/contract';

type Body<N extends OperationName> = Extract<AnswerOf<Operations[N]>, { status: 200 }>['body'];

export type ReportList = Body<'listReports'>;
export type ReportDetail = Body<'readReport'>;
/** An object as it is now, without the parts that only moderators can still read. */
export type TargetRecord = ReportList['items'][number]['target'];
export type AppealList = Body<'listAppeals'>;
export type AppealDetail = Body<'readAppeal'>;
export type History = Body<'listModerationHistory'>;
export type AuditList = Body<'listAudit'>;
export type StatementList = Body<'listModerationStatements'>;
export type Statistics = Body<'readModerationStatistics'>;

/** A warning has nothing to restore, and neither has what was restored before, or is removed by law. */
export function upholdsByRestoring({
  action,
  action_id,
  actions,
  source,
  target,
}: AppealDetail): boolean {
  const acted = actions.find((one) => one.id === action_id);
  if (action === 'warn' || (acted !== undefined && acted.lifted_at !== null)) return false;
  return !target.removed_legally || source === 'legal';
}
