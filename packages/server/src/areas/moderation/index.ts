// The door of moderation: reports, and the audit log.
import { createAppeal } from './operations/create-appeal.ts';
import { createModerationAction } from './operations/create-moderation-action.ts';
import { createReport } from './operations/create-report.ts';
import { grantScopes } from './operations/grant-scopes.ts';
import { listAppeals } from './operations/list-appeals.ts';
import { listAudit } from './operations/list-audit.ts';
import { listModerationHistory } from './operations/list-moderation-history.ts';
import { listModerationStatements } from './operations/list-moderation-statements.ts';
import { listReports } from './operations/list-reports.ts';
import { readAppeal } from './operations/read-appeal.ts';
import { readModerationStatistics } from './operations/read-moderation-statistics.ts';
import { readReport } from './operations/read-report.ts';
import { reviewAppeal } from './operations/review-appeal.ts';
import { reviewReport } from './operations/review-report.ts';
import { revokeGrants } from './operations/revoke-grants.ts';
import { setTrustLevel } from './operations/set-trust-level.ts';
import { forgetContacts } from './reactions/reports.ts';

export const operations = [
  createReport,
  listReports,
  readReport,
  reviewReport,
  createModerationAction,
  listModerationHistory,
  createAppeal,
  grantScopes,
  listAppeals,
  listAudit,
  listModerationStatements,
  readAppeal,
  readModerationStatistics,
  reviewAppeal,
  revokeGrants,
  setTrustLevel,
];

export const reactions = [forgetContacts];

export type { AuditEntry } from './queries/index.ts';
export { actAsOperator } from './outbox/actions.ts';
export type { Operated } from './outbox/actions.ts';
export { appendAudit } from './outbox/audit.ts';
export { verifyAudit } from './outbox/audit-chain.ts';
