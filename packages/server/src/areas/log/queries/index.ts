// The statements of the log.
export * from './articles.ts';
export * from './causes.ts';
export * from './leaves.ts';
export * from './proofs.ts';
export * from './tree.ts';
export * from './witnesses.ts';
