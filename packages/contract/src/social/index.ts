// Social: comments and what else connects participants and articles.
export * from './comments.ts';
export * from './edges.ts';
export * from './follows.ts';
