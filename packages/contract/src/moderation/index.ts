// Every operation of moderation and its records.
export * from './actions.ts';
export * from './administration.ts';
export * from './appeals.ts';
export * from './reports.ts';
export * from './statements.ts';
