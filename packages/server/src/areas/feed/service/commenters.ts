// Weighs the comments of many people on many articles at once.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import {
  setCommentSupport,
  deleteTrends,
  findScoredArticles,
  listCommentSupport,
  listAccountsOf,
  lockTrends,
  setTrends,
} from '../queries/index.ts';
import type { CommentSupport, ScoredArticle, Trend } from '../queries/index.ts';
import { weights } from '../rules/trending.ts';
import { countAll, trendOf } from './supporters.ts';

/** A person who commented on an article. */
export interface CommentedBy {
  readonly article_id: string;
  readonly owner_id: string;
}

interface Weighed {
  readonly key: RowKey;
  readonly article: ScoredArticle;
  readonly points: number;
}

/** Returns each article once, in the order of the keys, in which every transaction locks their rows. */
function articlesOf(pairs: readonly CommentedBy[]): readonly RowKey[] {
  const keys = [...new Set(pairs.map(({ article_id: id }) => id))].map(keyOf);
  return keys.toSorted((one, other) => one.bucket - other.bucket || (one.id < other.id ? -1 : 1));
}

/** Counts articles without a count, deletes the rows of those that are not listed, and returns the others. */
async function listWeighed(
  tx: Tx,
  keys: readonly RowKey[],
  trends: ReadonlyMap<string, Trend>,
  articles: ReadonlyMap<string, ScoredArticle>,
): Promise<readonly Weighed[]> {
  const gone = keys.filter(({ id }) => !articles.has(id));
  if (gone.length > 0) void deleteTrends(tx, gone);
  const weighed: Weighed[] = [];
  for (const key of keys) {
    const article = articles.get(key.id);
    if (article === undefined) continue;
    const points = trends.get(key.id)?.points ?? null;
    if (points === null) await countAll(tx, key, article);
    else weighed.push({ key, article, points });
  }
  return weighed;
}

/** Writes what changed: the supporters, and the score of each article once. */
function setSupport(tx: Tx, weighed: readonly Weighed[], found: readonly CommentSupport[]): void {
  const byArticle = Map.groupBy(found, ({ id }) => id);
  const changed = weighed.flatMap(({ key, article, points }) => {
    const changes = (byArticle.get(key.id) ?? []).flatMap(({ owner_id, before, after }) => {
      const counts = after && owner_id !== article.owner_id;
      return before === counts ? [] : [{ ...key, owner_id, after: counts }];
    });
    const added = changes.reduce((sum, { after }) => sum + (after ? 1 : -1), 0);
    const trend = { ...key, ...trendOf(points + added * weights.comment, article) };
    return changes.length === 0 ? [] : [{ changes, trend }];
  });
  if (changed.length === 0) return;
  setCommentSupport(
    tx,
    changed.flatMap(({ changes }) => changes),
  );
  void setTrends(
    tx,
    changed.map(({ trend }) => trend),
  );
}

/**
 * Updates whether these people support these articles by a comment; each pair is given once. The rows of the
 * articles are locked first, in the order of their keys, and a later statement reads the support, so that an
 * older run never overwrites a newer one. The cost does not depend on the number of other supporters.
 */
export async function weighCommenters(tx: Tx, pairs: readonly CommentedBy[]): Promise<void> {
  const keys = articlesOf(pairs);
  const [trends, articles, accountsOf] = await Promise.all([
    lockTrends(tx, keys),
    findScoredArticles(tx, keys),
    listAccountsOf(tx, [...new Set(pairs.map(({ owner_id }) => owner_id))]),
  ]);
  const weighed = await listWeighed(tx, keys, trends, articles);
  const ids = new Set(weighed.map(({ key }) => key.id));
  const commenters = pairs.flatMap(({ article_id, owner_id }) =>
    ids.has(article_id)
      ? [{ ...keyOf(article_id), owner_id, accounts: accountsOf.get(owner_id) ?? [] }]
      : [],
  );
  if (commenters.length === 0) return;
  setSupport(tx, weighed, await listCommentSupport(tx, commenters));
}
