// Social: comments, edges and follows.
export * from './comments.ts';
export * from './edges.ts';
export * from './follows.ts';
