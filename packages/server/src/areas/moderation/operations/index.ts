// The operations of moderation: each one named here is served.
export { createAppeal } from './create-appeal.ts';
export { createModerationAction } from './create-moderation-action.ts';
export { createReport } from './create-report.ts';
export { grantScopes } from './grant-scopes.ts';
export { listAppeals } from './list-appeals.ts';
export { listAudit } from './list-audit.ts';
export { listModerationHistory } from './list-moderation-history.ts';
export { listModerationStatements } from './list-moderation-statements.ts';
export { listReports } from './list-reports.ts';
export { readAppeal } from './read-appeal.ts';
export { readModerationStatistics } from './read-moderation-statistics.ts';
export { readReport } from './read-report.ts';
export { reviewAppeal } from './review-appeal.ts';
export { reviewReport } from './review-report.ts';
export { revokeGrants } from './revoke-grants.ts';
export { setTrustLevel } from './set-trust-level.ts';
