// The messages of articles for the pipeline.
import type { Tx } from '#database';
import { appendMessage } from '#outbox';
import type { PastPublication } from '#outbox';
import type { RowKey } from '#lib/id';
import { insertDelta } from './queries/index.ts';
import type { CountChange, ErasedWork } from './queries/index.ts';

/**
 * Appends the message that something shown in derived rows has changed. Each subscriber reads the current
 * article. `publication` is one that is no longer in it, for the transparency log.
 */
export function articleChanged(
  tx: Tx,
  key: RowKey,
  now: Date,
  publication?: PastPublication,
): void {
  const payload = { article_id: key.id, ...(publication === undefined ? {} : { publication }) };
  void appendMessage(tx, { bucket: key.bucket, type: 'article.changed', payload }, now);
}

/**
 * Appends the message for rows outside of articles that depend on the article's language: stemmed comments.
 */
export function languageChanged(tx: Tx, key: RowKey, now: Date): void {
  const payload = { article_id: key.id };
  void appendMessage(tx, { bucket: key.bucket, type: 'language.changed', payload }, now);
}

/** Appends the message that the language of a new article could not be detected while its author waited. */
export function languageUnknown(tx: Tx, key: RowKey, now: Date): void {
  const payload = { article_id: key.id };
  void appendMessage(tx, { bucket: key.bucket, type: 'language.unknown', payload }, now);
}

/** One of this many changes appends a message, so that the changes of a busy article are added up often. */
const everyNth = 64;

/**
 * Stores a change of the article's counts; one change of 64 on average appends the message to add them up.
 */
export function insertCountDelta(tx: Tx, key: RowKey, change: CountChange, now: Date): void {
  insertDelta(tx, key, change, now);
  if (Math.random() * everyNth >= 1) return;
  const payload = { article_id: key.id };
  void appendMessage(tx, { bucket: key.bucket, type: 'counts.grew', payload }, now);
}

/** Appends the message that these articles were erased, so that derived rows are deleted. */
export function articlesErased(
  tx: Tx,
  bucket: number,
  works: readonly ErasedWork[],
  now: Date,
): void {
  for (const { id, author_id, media_ids } of works) {
    const payload = { article_id: id, author_id, media_ids, is_pending: true } as const;
    void appendMessage(tx, { bucket, type: 'article.erased', payload }, now);
  }
}
