// The door of articles.
import type { Treatment } from '@colophon/contract';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
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
import {
  findTreatment,
  lockArticle,
  setLegallyRemoved,
  setLegallyRestored,
} from './queries/index.ts';
import type { BeforeRemoval } from './queries/index.ts';

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

/**
 * Removes an article for legal reasons, whatever its state; answers what it was before, for the day that
 * it is restored.
 * @throws Error with a sentence, when there is no such article or it is removed so already
 */
export async function removeLegally(
  tx: Tx,
  id: string,
  reasonCode: string,
  now: Date,
): Promise<BeforeRemoval> {
  const place = { bucket: bucketOf(id), id };
  const article = await lockArticle(tx, place);
  if (article === undefined) throw new Error(`No article has the id ${id}.`);
  if (article.removed_legally)
    throw new Error('The article is removed for legal reasons already: legal-removal ID --restore');
  void setLegallyRemoved(tx, place, reasonCode, now);
  articleChanged(tx, place, now);
  const { status, removed_at, reason_code } = article;
  return { status, removed_at, reason_code };
}

/** An author who left meanwhile and withdrew their works has withdrawn this one too. */
function backFrom(
  before: BeforeRemoval,
  treatment: Treatment | undefined,
  now: Date,
): BeforeRemoval {
  const wasShown = before.status === 'published' || before.status === 'hidden';
  if (treatment !== 'unpublish' || !wasShown) return before;
  return { ...before, status: 'unpublished', removed_at: timestamp(now) };
}

/**
 * Takes a legal removal back; answers the status that the article has again.
 * @throws Error with a sentence, when there is no such article or it is not removed so
 */
export async function restoreLegally(
  tx: Tx,
  id: string,
  before: BeforeRemoval,
  now: Date,
): Promise<string> {
  const place = { bucket: bucketOf(id), id };
  const article = await lockArticle(tx, place);
  if (article === undefined) throw new Error(`No article has the id ${id}.`);
  if (!article.removed_legally)
    throw new Error('The article is not removed for legal reasons: there is nothing to restore.');
  const author = { bucket: place.bucket, id: article.author_id };
  const again = backFrom(before, await findTreatment(tx, author), now);
  void setLegallyRestored(tx, place, again, now);
  articleChanged(tx, place, now);
  return article.status === 'erased' ? article.status : again.status;
}
