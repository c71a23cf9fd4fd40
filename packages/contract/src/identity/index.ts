// The operations of identity.
export * from './accounts.ts';
export * from './agents.ts';
export * from './closing.ts';
export * from './keys.ts';
export * from './principals.ts';
export * from './quota.ts';
export * from './tokens.ts';
export * from './web-links.ts';
