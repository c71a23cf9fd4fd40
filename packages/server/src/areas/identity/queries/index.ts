// Every SQL statement on principals, usernames and tokens, by what it is about.
export * from './principals.ts';
export * from './tokens.ts';
