// The door of articles.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { createArticle } from './operations/create-article.ts';
import { createRevision } from './operations/create-revision.ts';
import { deleteArticle } from './operations/delete-article.ts';
import { eraseArticle } from './operations/erase-article.ts';
import { listArticles } from './operations/list-articles.ts';
import { listRevisions } from './operations/list-revisions.ts';
import { publishArticle } from './operations/publish-article.ts';
import { readArticle } from './operations/read-article.ts';
import { readDiff } from './operations/read-diff.ts';
import { readHome } from './operations/read-home.ts';
import { readProof } from './operations/read-proof.ts';
import { readProcessing } from './operations/read-processing.ts';
import { readRevision } from './operations/read-revision.ts';
import { updateArticle } from './operations/update-article.ts';
import { articleChanged } from './outbox.ts';
import { lockModerated, setModerated } from './queries/index.ts';

export const operations = [
  createArticle,
  updateArticle,
  createRevision,
  publishArticle,
  deleteArticle,
  eraseArticle,
  readArticle,
  listArticles,
  listRevisions,
  readRevision,
  readProof,
  readProcessing,
  readDiff,
  readHome,
];

export { insertCountDelta } from './outbox.ts';
export type { CountChange, Place } from './queries/index.ts';
export {
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
} from './rules.ts';
export type { Subject } from './rules.ts';
export { articleUrl } from './views.ts';
export { findTreatmentProgress } from './queries/index.ts';
export { applyLedger, reactionsWith, recurring, renderedContent } from './reactions/index.ts';

/** Holds an article for moderation until the transaction ends; undefined when there is none. */
export function holdArticle(tx: Tx, id: string): Promise<HeldTarget | undefined> {
  return lockModerated(tx, { bucket: bucketOf(id), id });
}

/** Puts a held article into the state that an action leaves it in, and tells what derives from it. */
export function moderateArticle(
  tx: Tx,
  id: string,
  { state, actionId, now }: ModeratedChange,
): void {
  const place = { bucket: bucketOf(id), id };
  void setModerated(tx, place, state, actionId);
  articleChanged(tx, place, now);
}
