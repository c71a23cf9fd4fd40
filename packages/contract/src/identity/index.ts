// Identity: its records and every operation on them.
export { Principal, TokenRecord } from './records.ts';
export * from './accounts.ts';
export * from './tokens.ts';
