// The operations of moderation.
export * from './actions.ts';
export * from './administration.ts';
export * from './appeals.ts';
export * from './reports.ts';
export * from './statements.ts';
