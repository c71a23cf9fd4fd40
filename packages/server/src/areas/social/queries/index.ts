// Every SQL statement of social, one file per subject.
export * from './citations.ts';
export * from './comment-lists.ts';
export * from './comment-treatments.ts';
export * from './comments.ts';
export * from './edge-lists.ts';
export * from './edge-visibility.ts';
export * from './edges.ts';
export { existsFollow } from './follows.ts';
export * from './follow-lists.ts';
export * from './moderating.ts';
export * from './reception.ts';
export * from './stances.ts';
export * from './threads.ts';
