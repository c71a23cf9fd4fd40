// Every SQL statement of moderation, by subject.
export * from './actions.ts';
export * from './appeals.ts';
export * from './audit.ts';
export * from './reports.ts';
export * from './statements.ts';
export * from './targets.ts';
