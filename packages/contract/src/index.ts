// The door of the contract: all operations by name, and their parts.
export * from './allowances.ts';
export { ceremonies, ceremonyList } from './ceremonies.ts';
export { sessionLimits } from './identity/session-limits.ts';
export type { Ceremonies } from './ceremonies.ts';
export { operationList, operations } from './operations.ts';
export type { OperationName, Operations, Tag, TaggedOperation } from './operations.ts';
export { Article, ArticleSummary, Revision, RevisionSummary } from './articles/records.ts';
export { eventPayloads } from './event-payloads.ts';
export type { EventPayloads, EventType } from './event-payloads.ts';
export { ExportRecord } from './exports.ts';
export type { LogIdentity, LogProof } from './log.ts';
export { MediaRecord } from './media.ts';
export { Appeal, AuditRecord, ModerationStatement, Report } from './moderation/index.ts';
export { Principal, TokenRecord } from './identity/records.ts';
export { Comment, Edge } from './social/index.ts';
export { Topic } from './feed.ts';
export { SearchHit } from './search.ts';
export { closedObject, Id, noMembers, Timestamp } from './fields.ts';
export { cursorOf, needsPrecondition, paramsSchema, scopesOf } from './operation.ts';
export type {
  AnswerOf,
  AnyOperation,
  BodyOf,
  Method,
  Operation,
  ParamsOf,
  ProblemsOf,
  QueryOf,
} from './operation.ts';
export { bodyExample } from './openapi-examples.ts';
export { openApi } from './openapi.ts';
export { clientCall } from './openapi-samples.ts';
export { genericProblems, problemNames, problems } from './problems.ts';
export type { ProblemName, ProblemType } from './problems.ts';
export { tokenFault } from './token-form.ts';
export { isAdminScope, isForbiddenToAgents, ordinaryScopes, scopes, scopeWords } from './scopes.ts';
export type { Access, Scope } from './scopes.ts';
export * from './vocabulary.ts';
