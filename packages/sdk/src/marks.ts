// Names of operations with `dry_run`, `if_match` or bytes, which the contract's types do not show.
import type { OperationName } from './contract.ts';

/** A test compares these lists with the contract and fails for a missing or surplus name. */
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

export const preconditionNames = [
  'updateArticle',
  'createRevision',
  'publishArticle',
  'deleteArticle',
  'eraseArticle',
] as const satisfies readonly OperationName[];

export const uploadNames = ['uploadMedia'] as const satisfies readonly OperationName[];

export const bytesNames = [
  'readExportContent',
  'readMediaContent',
] as const satisfies readonly OperationName[];

export type DryRunName = (typeof dryRunNames)[number];
export type PreconditionName = (typeof preconditionNames)[number];
export type UploadName = (typeof uploadNames)[number];
export type BytesName = (typeof bytesNames)[number];
