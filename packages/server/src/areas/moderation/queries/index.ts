// Every SQL statement of moderation, by what it is about.
export * from './actions.ts';
export * from './appeals.ts';
export * from './audit.ts';
export * from './reports.ts';
export * from './statements.ts';
export * from './targets.ts';
