// All operations of moderation and their records.
export * from './actions.ts';
export * from './administration.ts';
export * from './appeals.ts';
export * from './reports.ts';
export * from './statements.ts';
