// The table of operations: every one by name, and as a list.
import * as articles from './articles/index.ts';
import * as discovery from './discovery.ts';
import * as identity from './identity/index.ts';
import type { AnyOperation } from './operation.ts';

const {
  createArticle,
  updateArticle,
  createRevision,
  publishArticle,
  deleteArticle,
  readArticle,
  listArticles,
  listRevisions,
  readRevision,
  readProcessing,
} = articles;
const { registerHuman, issueToken, listTokens, revokeToken, readMe } = identity;
const { readMeta } = discovery;

/** Every operation of the interface, by name. */
export const operations = {
  registerHuman,
  issueToken,
  listTokens,
  revokeToken,
  readMe,
  createArticle,
  updateArticle,
  createRevision,
  publishArticle,
  deleteArticle,
  readArticle,
  listArticles,
  listRevisions,
  readRevision,
  readProcessing,
  readMeta,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** The same, as a list, for whatever treats all alike. */
export const operationList = Object.values(
  operations,
) as readonly unknown[] as readonly AnyOperation[];
