// Keeps search and topics true to what is listed.
import type { Tx } from '#database';
import { topicsOf } from '#lib/slug';
import { timestamp } from '#lib/timestamp';
import type { ArticleChanged, ArticleErased, Reaction, ReactionServices } from '#outbox';
import {
  deleteSearchRow,
  findListedArticle,
  lockSearchRow,
  setDocument,
  setTopics,
} from './queries.ts';
import type { ArticleKey } from './queries.ts';
import { configurationOf, indexedLengths, isTooManyWords } from './rules.ts';

/**
 * An older run never overwrites a newer one: the row is held first, and the article is read by a later
 * statement, which sees everything committed until then. Whoever holds the row later therefore reads a
 * state at least as new as whoever held it before.
 */
async function index(tx: Tx, key: ArticleKey, length: number, now: Date): Promise<void> {
  const [, article] = await Promise.all([
    lockSearchRow(tx, key, timestamp(now)),
    findListedArticle(tx, key),
  ]);
  if (article === undefined) {
    await Promise.all([deleteSearchRow(tx, key), setTopics(tx, key, [])]);
    return;
  }
  const { revision_id, language, metadata } = article;
  const document = setDocument(tx, key, {
    revision_id,
    configuration: configurationOf(language),
    length,
  });
  await Promise.all([document, setTopics(tx, key, topicsOf(metadata))]);
}

/** Makes an article's search row and topics what its present state asks for. */
export async function indexArticle(key: ArticleKey, { db, now }: ReactionServices): Promise<void> {
  for (const length of indexedLengths) {
    try {
      return await db.transaction((tx) => index(tx, key, length, now()));
    } catch (error) {
      if (!isTooManyWords(error) || length === 0) throw error;
    }
  }
}

const onArticleChanged: Reaction<ArticleChanged> = {
  type: 'article.changed',
  name: 'indexArticle',
  run: ({ bucket, payload }, services) =>
    indexArticle({ bucket, id: payload.article_id }, services),
};

const onArticleErased: Reaction<ArticleErased> = {
  type: 'article.erased',
  name: 'unindexArticle',
  run: ({ bucket, payload }, services) =>
    indexArticle({ bucket, id: payload.article_id }, services),
};

export const reactions: readonly Reaction[] = [onArticleChanged, onArticleErased];
