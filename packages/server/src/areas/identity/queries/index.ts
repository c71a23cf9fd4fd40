// Every SQL statement of identity, one file per subject.
export * from './agents.ts';
export * from './ceremonies.ts';
export * from './closing.ts';
export * from './grants.ts';
export * from './keys.ts';
export * from './moderating.ts';
export * from './names.ts';
export * from './passkeys.ts';
export * from './principals.ts';
export * from './profiles.ts';
export * from './sessions.ts';
export * from './token-uses.ts';
export * from './tokens.ts';
export * from './trust.ts';
export * from './unused.ts';
export * from './web-links.ts';
export * from './works.ts';
