// The door of reindex: making derived rows anew, by the operator's command and by itself after an upgrade.
export { startReindexing } from './background.ts';
export { rebuildAll } from './rebuild-all.ts';
export type { Run } from './rebuild-all.ts';
export type { Rebuilding, Walk } from './rebuilding.ts';
export { listStandings, setMadeWhereNobodyIs } from './standings.ts';
export type { Kind } from './standings.ts';
export {
  bucketAfter,
  countArticles,
  countComments,
  countPrincipals,
  listArticlesAfter,
  listCommentsAfter,
  listPrincipalsAfter,
} from './walk.ts';
