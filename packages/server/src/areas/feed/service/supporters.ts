// The supporters of an article, of three kinds, and the score that results.
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';
import {
  deleteSupporter,
  deleteTrends,
  existsSupporter,
  findOwners,
  findScoredArticle,
  insertSupporter,
  listAccounts,
  listListedAmong,
  listSupport,
  lockTrend,
  setSupporters,
  setTrend,
} from '../queries/index.ts';
import type { Among, ScoredArticle, Support, Supporting, SupportKind } from '../queries/index.ts';
import {
  distinctSupport,
  followSpan,
  pointsOf,
  scoreOf,
  supportKinds,
  weights,
} from '../rules/trending.ts';

export function trendOf(points: number, { published_at }: ScoredArticle) {
  return { points, published_at, score: scoreOf(points, published_at) };
}

export function followedSince({ author_id: authorId, published_at }: ScoredArticle) {
  return { authorId, ...followSpan(published_at) };
}

interface Selection {
  readonly kind: SupportKind;
  readonly among: Among;
}

/** Returns the supporters of one kind; a link counts while the article that contains it is listed. */
async function findSupporters(
  tx: Tx,
  key: RowKey,
  article: ScoredArticle,
  { kind, among }: Selection,
): Promise<readonly Supporting[]> {
  const rows = await listSupport(tx, key, { kind, followed: followedSince(article), among });
  if (kind !== 'link') return rows;
  const sources = rows.flatMap(({ source_id: id }) => id ?? []);
  const listed = new Set(await listListedAmong(tx, sources));
  return rows.filter(({ source_id: id }) => id !== null && listed.has(id));
}

/** Recounts an article's supporters from their comments, links and follows. */
export async function countAll(tx: Tx, key: RowKey, article: ScoredArticle): Promise<void> {
  const found = await Promise.all(
    supportKinds.map(async (kind) => {
      const rows = await findSupporters(tx, key, article, { kind, among: undefined });
      const owners = await findOwners(tx, [...new Set(rows.map((row) => row.principal_id))]);
      return rows.map(({ principal_id: id }) => ({ kind, owner_id: owners.get(id) ?? id }));
    }),
  );
  const support = distinctSupport(found.flat(), article.owner_id);
  void setSupporters(tx, key, support);
  void setTrend(tx, key, trendOf(pointsOf(support), article));
}

/**
 * Updates whether one person supports an article in one way. The article's row is locked first, and later
 * statements read the support, so that an older run never overwrites a newer one. The cost does not depend
 * on the number of other supporters.
 */
export async function weigh(tx: Tx, key: RowKey, one: Support): Promise<void> {
  const [trend, article, accounts] = await Promise.all([
    lockTrend(tx, key),
    findScoredArticle(tx, key),
    listAccounts(tx, one.owner_id),
  ]);
  if (article === undefined) return void deleteTrends(tx, [key]);
  const points = trend?.points ?? null;
  if (points === null) return countAll(tx, key, article);
  const [before, rows] = await Promise.all([
    existsSupporter(tx, key, one),
    findSupporters(tx, key, article, { kind: one.kind, among: accounts }),
  ]);
  const after = rows.length > 0 && one.owner_id !== article.owner_id;
  if (before === after) return;
  void (after ? insertSupporter(tx, key, one) : deleteSupporter(tx, key, one));
  const weight = after ? weights[one.kind] : -weights[one.kind];
  void setTrend(tx, key, trendOf(points + weight, article));
}
