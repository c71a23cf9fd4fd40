// The door of articles.
import * as implemented from './operations/index.ts';

export const operations = Object.values(implemented);

export { articleChanged, insertCountDelta } from './outbox.ts';
export type { ArticleFilters, CountChange } from './queries/index.ts';
export {
  auditedRead,
  isFindable,
  isKnown,
  isOpen,
  isPublic,
  isShown,
  requireAuthor,
  requireKnown,
  requireLive,
  requireReadable,
  requireReadScope,
  standingOf,
} from './rules/articles.ts';
export type { Subject } from './rules/articles.ts';
export { markdownView } from './views/articles.ts';
export {
  articleConditions,
  countPendingErasures,
  findShownBefore,
  findTreatmentProgress,
  listListedPieces,
  listShownThen,
  lockModeratedArticle,
  setModeratedArticle,
} from './queries/index.ts';
export { articleFilters } from './service/filters.ts';
export {
  exportedArticles,
  exportedMarkdown,
  exportedProofs,
  exportedRevisions,
  nextWorks,
  pagedProofs,
  pagedRevisions,
} from './service/exporting.ts';
export type { ExportedArticle, ExportedRevision, Works } from './service/exporting.ts';
export { rebuildingExcerpts } from './service/excerpts.ts';
export { ownArticles, publishedWeeks, revisionSizes, unpublishedOfAgents } from './service/own.ts';
export {
  eraseAgain,
  feedTexts,
  recordingErasures,
  subscribersWith,
  recurring,
  renderedContent,
  treatWorks,
  treatmentSubscribers,
} from './subscribers/index.ts';
export { listedSummaries, listedWithPieces, newestDrafts, newestOf } from './service/listed.ts';
export { changedQuotes, signingsOf, shownStateOf } from './service/pages.ts';
