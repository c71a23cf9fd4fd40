// The door of articles.
import type { Config } from '#config';
import type { Db, Tx } from '#database';
import type { Caller } from '#http';
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
import {
  findStanding,
  listListedOf,
  listListedWithPiece,
  lockModerated,
  setModerated,
} from './queries/index.ts';
import type { Piece } from './queries/index.ts';
import { articleSummaries } from './views.ts';

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

export { auditedRead, insertCountDelta } from './outbox.ts';
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
export { articleUrl, markdownView } from './views.ts';
export { findTreatmentProgress, listListedPieces as listedPieces } from './queries/index.ts';
export {
  applyLedger,
  excerpts,
  feedTexts,
  reactionsWith,
  recurring,
  renderedContent,
  treatmentReactions,
} from './reactions/index.ts';

interface Reading {
  readonly db: Db;
  readonly config: Config;
  readonly caller: Caller | null;
}

/**
 * The articles of these ids as they stand in a list, in the order of the ids, one round trip. Those that
 * are not listed at this moment are left out: whatever a derived table still says, nobody sees them.
 */
export async function listedSummaries({ db, config, caller }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await listListedOf(db, ids);
  const summaries = await articleSummaries(rows, config, caller);
  const byId = new Map(summaries.map((article) => [article.id, article]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The same, each with a piece of its text, in the order of the ids; one round trip. */
export async function listedWithPieces(
  { db, config, caller }: Reading,
  ids: readonly string[],
  piece: Piece,
) {
  if (ids.length === 0) return [];
  const rows = await listListedWithPiece(db, ids, piece);
  const summaries = await articleSummaries(rows, config, caller);
  const byId = new Map(
    rows.flatMap(({ id, piece }, at) => {
      const article = summaries[at];
      return article === undefined ? [] : [[id, { article, piece }]];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** How an article stands whose page is shown: a search engine is not led to what no list leads to. */
export async function standingOfShown(db: Db, id: string) {
  const row = await findStanding(db, { bucket: bucketOf(id), id });
  const { listed = false, revised_at = null, excerpt = '' } = row ?? {};
  return { listed, revised_at, excerpt };
}

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
