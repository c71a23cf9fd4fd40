// Every SQL statement of moderation, by subject.
export * from './appeals.ts';
export * from './audit.ts';
export * from './claims.ts';
export * from './decided-reports.ts';
export * from './decisions.ts';
export * from './desk.ts';
export * from './history.ts';
export * from './legal-acts.ts';
export * from './reports.ts';
export * from './statements.ts';
export * from './targets.ts';
