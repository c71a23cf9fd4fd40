// Keeps search true to what is listed.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { topicsOf } from '#lib/slug';
import { timestamp } from '#lib/timestamp';
import type { ArticleChanged, ArticleErased, Reaction, ReactionServices } from '#outbox';
import {
  countArticles,
  deleteSearchRow,
  deleteUnusedWords,
  findListedArticle,
  insertWords,
  listArticlesAfter,
  listStaleDocuments,
  lockSearchRow,
  setDocument,
} from '../queries/index.ts';
import type { ArticleKey } from '../queries/index.ts';
import { configurationOf, indexedLengths, isTooManyWords } from '../rules/languages.ts';
import { marksOf } from '../rules/marks.ts';
import { keptWords, titleLength, titleWords } from '../rules/title-words.ts';
import type { Rebuilding } from './rebuilding.ts';

/**
 * An older run never overwrites a newer one: the row is held first, and the article is read by a later
 * statement, which sees everything committed until then. Whoever holds the row later therefore reads a
 * state at least as new as whoever held it before.
 */
async function index(tx: Tx, key: ArticleKey, length: number, now: Date): Promise<void> {
  const [before, article] = await Promise.all([
    lockSearchRow(tx, key, timestamp(now)),
    findListedArticle(tx, key),
  ]);
  if (article === undefined) {
    const unlisted = deleteSearchRow(tx, key);
    const gone = deleteUnusedWords(tx, keptWords(before));
    await Promise.all([unlisted, gone]);
    return;
  }
  const { revision_id, published_at, metadata } = article;
  const topics = topicsOf(metadata);
  const words = titleWords(article.title);
  const document = setDocument(tx, key, {
    revision_id,
    published_at,
    configuration: configurationOf(article.language),
    length,
    words,
    titleLength: titleLength(article.title),
    marks: marksOf(article, topics),
  });
  const kept = insertWords(tx, keptWords(words));
  const gone = deleteUnusedWords(tx, keptWords(before.filter((word) => !words.includes(word))));
  await Promise.all([document, kept, gone]);
}

/** Makes an article's search row what its present state asks for. */
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
  // Whoever published is looking for it.
  urgent: true,
  run: ({ bucket, payload }, services) =>
    indexArticle({ bucket, id: payload.article_id }, services),
};

const onArticleErased: Reaction<ArticleErased> = {
  type: 'article.erased',
  name: 'unindexArticle',
  run: ({ bucket, payload }, services) =>
    indexArticle({ bucket, id: payload.article_id }, services),
};

export const documentReactions: readonly Reaction[] = [onArticleChanged, onArticleErased];

export const rebuildingSearch: Rebuilding = {
  name: 'search',
  version: 2,
  count: countArticles,
  next: listArticlesAfter,
  stale: listStaleDocuments,
  rebuild: (id, services) => indexArticle({ bucket: bucketOf(id), id }, services),
};
