// Keeps search true to what is listed.
import type { Tx, ArticleKey } from '#database';
import { bucketOf } from '#lib/id';
import { turnsAfterPieces } from '#lib/pieces';
import { topicMetadata, topicsOf } from '#lib/slug';
import { timestamp } from '#lib/timestamp';
import type { ArticleChanged, ArticleErased, Subscriber, SubscriberServices } from '#outbox';
import { countArticles, listArticlesAfter } from '#reindex';
import {
  deleteSearchRows,
  deleteUnusedWords,
  findListedArticles,
  holdWords,
  listLongTexts,
  listStaleDocuments,
  lockSearchRows,
  setDocuments,
} from '../queries/index.ts';
import type { IndexedText, ListedArticle } from '../queries/index.ts';
import { configurationOf, indexedLengths, isTooManyWords } from '../rules/languages.ts';
import { marksOf } from '../rules/index-tags.ts';
import { keptWords, titleLength, titleWords } from '../rules/title-words.ts';
import { articlesOf } from '#outbox';
import type { Rebuilding } from '#reindex';

/** The words of a title cost as much as so many times its bytes of other texts: characters become up to 18. */
const foldingFactor = 16;

function indexedText(key: ArticleKey, article: ListedArticle, length: number): IndexedText {
  return {
    ...key,
    revision_id: article.revision_id,
    published_at: article.published_at,
    configuration: configurationOf(article.language),
    length,
    words: titleWords(article.title),
    title_length: titleLength(article.title),
    marks: marksOf(article, topicsOf(topicMetadata(article.metadata))),
  };
}

/** Each word once, in the order in which their rows are inserted everywhere. */
function wordsToKeep(words: Iterable<string>) {
  return keptWords([...new Set(words)]);
}

/**
 * An older run never overwrites a newer one: the rows are held first, and the articles are read by a later
 * statement, which sees everything committed until then. Whoever holds a row later therefore reads a
 * state at least as new as whoever held it before.
 */
async function index(
  tx: Tx,
  keys: readonly ArticleKey[],
  length: number,
  now: Date,
): Promise<void> {
  const [before, articles] = await Promise.all([
    lockSearchRows(tx, keys, timestamp(now)),
    findListedArticles(tx, keys),
  ]);
  const unlisted = keys.filter(({ id }) => !articles.has(id));
  const texts: IndexedText[] = [];
  const worked = turnsAfterPieces();
  for (const key of keys) {
    const article = articles.get(key.id);
    if (article === undefined) continue;
    texts.push(indexedText(key, article, length));
    await worked(article.metadata.length + Buffer.byteLength(article.title) * foldingFactor);
  }
  const words = new Map(texts.map((text) => [text.id, text.words]));
  const gone = keys.flatMap(({ id }) => {
    const kept = words.get(id) ?? [];
    return (before.get(id) ?? []).filter((word) => !kept.includes(word));
  });
  const [written] = await Promise.all([
    texts.length > 0 ? setDocuments(tx, texts) : new Set<string>(),
    unlisted.length > 0 ? deleteSearchRows(tx, unlisted) : undefined,
  ]);
  // No row would lead to the words of an article that was erased meanwhile: nobody could delete them.
  const kept = new Set(texts.flatMap((text) => (written.has(text.id) ? text.words : [])));
  const going = wordsToKeep(gone.filter((word) => !kept.has(word)));
  await Promise.all([holdWords(tx, wordsToKeep(kept), going), deleteUnusedWords(tx, going)]);
}

/** Makes an article's search row what its present state asks for. */
export async function indexArticle(
  key: ArticleKey,
  { db, now }: SubscriberServices,
): Promise<void> {
  for (const length of indexedLengths) {
    try {
      return await db.transaction((tx) => index(tx, [key], length, now()));
    } catch (error) {
      if (!isTooManyWords(error) || length === 0) throw error;
    }
  }
}

/** In a transaction of several texts none is longer: it ends long before its statements time out. */
const sharedBytes = 65_536;

/** Makes the search rows of articles what their present states ask for. */
async function indexArticles(
  keys: readonly ArticleKey[],
  services: SubscriberServices,
): Promise<void> {
  const { db, now } = services;
  const long = await listLongTexts(db, keys, sharedBytes);
  const short = keys.filter(({ id }) => !long.has(id));
  if (short.length > 0)
    await db.transaction((tx) => index(tx, short, indexedLengths[0] ?? 0, now()));
  for (const key of keys) if (long.has(key.id)) await indexArticle(key, services);
}

const onArticleChanged: Subscriber<ArticleChanged> = {
  type: 'article.changed',
  name: 'indexArticle',
  // Whoever published is looking for it.
  priority: 'urgent',
  run: ({ bucket, payload }, services) =>
    indexArticle({ bucket, id: payload.article_id }, services),
  many: {
    atOnce: 25,
    run: (messages, services) => indexArticles(articlesOf(messages), services),
  },
};

const onArticleErased: Subscriber<ArticleErased> = {
  type: 'article.erased',
  name: 'unindexArticle',
  run: ({ bucket, payload }, services) =>
    indexArticle({ bucket, id: payload.article_id }, services),
};

export const documentSubscribers: readonly Subscriber[] = [onArticleChanged, onArticleErased];

export const rebuildingSearch: Rebuilding = {
  name: 'search',
  version: 3,
  count: countArticles,
  next: listArticlesAfter,
  stale: listStaleDocuments,
  rebuild: (id, services) => indexArticle({ bucket: bucketOf(id), id }, services),
};
