// The operations of social.
export * from './comments.ts';
export * from './edges.ts';
export * from './follows.ts';
