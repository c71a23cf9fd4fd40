// Keeps the search documents of articles up to date.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { yieldAfterPieces } from '#lib/pieces';
import { topicMetadata, topicsOf } from '#lib/slug';
import { timestamp } from '#lib/timestamp';
import type {
  ArticleChanged,
  ArticleErased,
  IndexingPostponed,
  Subscriber,
  SubscriberServices,
} from '#outbox';
import { countArticles, listArticlesAfter } from '#reindex';
import {
  deleteSearchRows,
  findListedArticles,
  listLongTexts,
  listStaleDocuments,
  lockSearchRows,
  setDocuments,
} from '../queries/documents.ts';
import type { IndexedText, ListedArticle } from '../queries/documents.ts';
import { deleteUnusedWords, lockWords } from '../queries/search-words.ts';
import { configurationOf, marksOf } from '../rules/index-tags.ts';
import { wordRows, titleLength, titleWords } from '../rules/spelling.ts';
import { appendMessage, articlesOf } from '#outbox';
import type { Rebuilding } from '#reindex';

/** A title costs as much as this multiple of its bytes of other texts: one character becomes up to 18. */
const foldingFactor = 16;

function indexedText(key: RowKey, article: ListedArticle, length: number): IndexedText {
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

/** Returns each word once, in the order in which word rows are inserted everywhere. */
function wordRowsOf(words: Iterable<string>) {
  return wordRows([...new Set(words)]);
}

async function lockAndRead(tx: Tx, keys: readonly RowKey[], now: string) {
  for (;;) {
    const [before, articles] = await Promise.all([
      lockSearchRows(tx, keys, now),
      findListedArticles(tx, keys),
    ]);
    // A row that another transaction deletes meanwhile is inserted again. That is out of the order of the keys: if two
    // transactions do so at once, PostgreSQL may end one of them, which runs again.
    if (before.size === keys.length) return { before, articles };
  }
}

/**
 * Updates search rows. The rows are locked first, and a later statement reads the articles, which sees
 * everything committed until then. A transaction that locks a row later therefore reads a state at least as
 * new, so an older run never overwrites a newer one.
 */
async function index(tx: Tx, keys: readonly RowKey[], length: number, now: Date): Promise<void> {
  const { before, articles } = await lockAndRead(tx, keys, timestamp(now));
  const unlisted = keys.filter(({ id }) => !articles.has(id));
  const texts: IndexedText[] = [];
  const yieldIfDue = yieldAfterPieces();
  for (const key of keys) {
    const article = articles.get(key.id);
    if (article === undefined) continue;
    texts.push(indexedText(key, article, length));
    await yieldIfDue(article.metadata.length + Buffer.byteLength(article.title) * foldingFactor);
  }
  const words = new Map(texts.map((text) => [text.id, text.words]));
  const gone = keys.flatMap(({ id }) => {
    const kept = words.get(id) ?? [];
    return (before.get(id) ?? []).filter((word) => !kept.includes(word));
  });
  const [written] = await Promise.all([
    texts.length > 0 ? setDocuments(tx, texts, timestamp(now)) : new Set<string>(),
    unlisted.length > 0 ? deleteSearchRows(tx, unlisted) : undefined,
  ]);
  // No search row would lead to the words of an article that was erased meanwhile, so they could never be
  // deleted.
  const kept = new Set(texts.flatMap((text) => (written.has(text.id) ? text.words : [])));
  const going = wordRowsOf(gone.filter((word) => !kept.has(word)));
  await Promise.all([lockWords(tx, wordRowsOf(kept), going), deleteUnusedWords(tx, going)]);
}

/**
 * Numbers of characters of a text to index, to try in this order: PostgreSQL rejects a document whose words
 * and positions need more than 1 MB, which depends on the number of different words.
 */
export const indexedLengths = [400_000, 100_000, 25_000, 0] as const;

/** Returns whether the error is SQLSTATE 54000, program_limit_exceeded: the words exceed one document. */
export function isTooManyWords(error: unknown): boolean {
  return error instanceof Error && (error as Error & { code?: string }).code === '54000';
}

/** Brings an article's search row up to date with its present state. */
export async function indexArticle(key: RowKey, { db, now }: SubscriberServices): Promise<void> {
  for (const length of indexedLengths) {
    try {
      return await db.transaction((tx) => index(tx, [key], length, now()));
    } catch (error) {
      if (!isTooManyWords(error) || length === 0) throw error;
    }
  }
}

/**
 * Longer texts wait in a lane of their own: one takes seconds, so that a few would delay everybody's short
 * ones. Texts in a shared transaction are no longer either: it ends long before its statements time out.
 */
const shortBytes = 65_536;

/** Appends a message for each long text, and returns the keys of the others. */
async function postponeLong(
  keys: readonly RowKey[],
  { db, now }: SubscriberServices,
): Promise<readonly RowKey[]> {
  const long = await listLongTexts(db, keys, shortBytes);
  if (long.size === 0) return keys;
  await db.transaction(async (tx) => {
    for (const { bucket, id } of keys) {
      const payload = { article_id: id };
      if (long.has(id))
        await appendMessage(tx, { bucket, type: 'indexing.postponed', payload }, now());
    }
  });
  return keys.filter(({ id }) => !long.has(id));
}

async function indexShort(key: RowKey, services: SubscriberServices): Promise<void> {
  const short = await postponeLong([key], services);
  if (short.length > 0) await indexArticle(key, services);
}

/** Brings the search rows of articles with short texts up to date with their present state. */
async function indexAllShort(keys: readonly RowKey[], services: SubscriberServices): Promise<void> {
  const { db, now } = services;
  const short = await postponeLong(keys, services);
  if (short.length > 0)
    await db.transaction((tx) => index(tx, short, indexedLengths[0] ?? 0, now()));
}

const onArticleChanged: Subscriber<ArticleChanged> = {
  type: 'article.changed',
  name: 'indexArticle',
  // The author expects to find the article at once.
  priority: 'urgent',
  run: ({ bucket, payload }, services) => indexShort({ bucket, id: payload.article_id }, services),
  many: {
    atOnce: 25,
    run: (messages, services) => indexAllShort(articlesOf(messages), services),
  },
};

/** Two changes of one article may be indexed in any order: each run reads the article's present state. */
const onIndexingPostponed: Subscriber<IndexingPostponed> = {
  type: 'indexing.postponed',
  name: 'indexLongArticle',
  alone: 'index',
  run: ({ bucket, payload }, services) =>
    indexArticle({ bucket, id: payload.article_id }, services),
};

const onArticleErased: Subscriber<ArticleErased> = {
  type: 'article.erased',
  name: 'unindexArticle',
  run: ({ bucket, payload }, services) =>
    indexArticle({ bucket, id: payload.article_id }, services),
};

export const documentSubscribers: readonly Subscriber[] = [
  onArticleChanged,
  onIndexingPostponed,
  onArticleErased,
];

export const rebuildingSearch: Rebuilding = {
  name: 'search',
  version: 3,
  count: countArticles,
  next: listArticlesAfter,
  stale: listStaleDocuments,
  rebuild: (id, services) => indexArticle(keyOf(id), services),
};
