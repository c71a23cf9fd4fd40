// The operations that take `dry_run`, `if_match` and `bytes`, or answer bytes, by name: the contract's types do not tell.
import type { OperationName } from './contract.ts';

/** Checked against the contract by a test: a name that is missing or too many fails it. */
export const dryRunNames = [
  'createArticle',
  'updateArticle',
  'createRevision',
  'publishArticle',
  'eraseArticle',
  'createComment',
  'createReply',
  'createEdge',
] as const satisfies readonly OperationName[];

export const preconditionNames = ['createRevision'] as const satisfies readonly OperationName[];

export const uploadNames = ['uploadMedia'] as const satisfies readonly OperationName[];

export const bytesNames = ['readMediaContent'] as const satisfies readonly OperationName[];

export type DryRunName = (typeof dryRunNames)[number];
export type PreconditionName = (typeof preconditionNames)[number];
export type UploadName = (typeof uploadNames)[number];
export type BytesName = (typeof bytesNames)[number];
