// The door of moderation: reports, and the audit log.
import * as implemented from './operations/index.ts';
import { releaseClaims } from './subscribers/claims.ts';
import { forgetContacts } from './subscribers/reports.ts';

export const operations = Object.values(implemented);

export const subscribers = [forgetContacts];

export const recurring = [releaseClaims];

export { recordingLegalActs } from './subscribers/legal-acts.ts';
export type { AuditEntry } from './queries/index.ts';
export { countMonths, countUnrecordedLegalActs } from './queries/index.ts';
export { actAsOperator, legalActsOf } from './service/actions.ts';
export { liftLegalRemoval } from './service/legal-removals.ts';
export type { OperatorOutcome } from './service/actions.ts';
export { appendAudit } from './service/audit.ts';
export { followAudit, verifyAudit } from './service/audit-chain.ts';
export {
  actionStates,
  authorRecord,
  countDesk,
  countOpen,
  decisionFor,
  isAuditRowIntact,
  nextOpenReport,
  objectState,
  countOthers,
  reportStates,
} from './service/desk.ts';
export { removeAgain } from './service/legal-acts.ts';
export { usesOf } from './rules/actions.ts';
export { revisedSince } from './service/revisions.ts';
export { publicStatement } from './service/statements.ts';
