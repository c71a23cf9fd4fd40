// The door of reindex: rebuilds derived rows, by the operator's command and automatically after an upgrade.
export { startReindexing } from './background.ts';
export { rebuildAll } from './rebuild-all.ts';
export type { Run } from './rebuild-all.ts';
export type { Rebuilding, Walk } from './rebuilding.ts';
export { listRebuildStates, markBuiltWhereEmpty } from './rebuild-states.ts';
export type { Kind } from './rebuild-states.ts';
export {
  countArticles,
  countComments,
  countPrincipals,
  listArticlesAfter,
  listCommentsAfter,
  listPrincipalsAfter,
  walkOf,
} from './walk.ts';
