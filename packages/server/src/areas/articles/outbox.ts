// The messages that articles leave for the pipeline, and what they leave for the audit log.
import type { Tx } from '#database';
import type { AuditedRead, Caller } from '#http';
import { appendMessage } from '#outbox';
import { insertDelta } from './queries/index.ts';
import type { CountChange, ErasedWork, Place } from './queries/index.ts';
import { isOpen, standingOf } from './rules/articles.ts';
import type { Subject } from './rules/articles.ts';

/** Something that derived data show has changed: each subscriber looks at the article as it is then. */
export function articleChanged(tx: Tx, place: Place, now: Date): void {
  const payload = { article_id: place.id };
  void appendMessage(tx, { bucket: place.bucket, type: 'article.changed', payload }, now);
}

/** What is derived from the article's language and is not the article's own: its comments are stemmed by it. */
export function languageChanged(tx: Tx, place: Place, now: Date): void {
  const payload = { article_id: place.id };
  void appendMessage(tx, { bucket: place.bucket, type: 'language.changed', payload }, now);
}

/** One change of many tells, so that a hot article's are added up as fast as they come. */
const everyNth = 64;

/** Writes a change of the article's counts, and now and then asks for the changes to be added up. */
export function insertCountDelta(tx: Tx, place: Place, change: CountChange, now: Date): void {
  insertDelta(tx, place, change, now);
  if (Math.random() * everyNth >= 1) return;
  const payload = { article_id: place.id };
  void appendMessage(tx, { bucket: place.bucket, type: 'counts.grew', payload }, now);
}

/** These articles are erased: what was made of them goes, and the ledger keeps their ids. */
export function articlesErased(
  tx: Tx,
  bucket: number,
  works: readonly ErasedWork[],
  now: Date,
): void {
  for (const { id, author_id, media_ids } of works) {
    const payload = { article_id: id, author_id, media_ids };
    void appendMessage(tx, { bucket, type: 'article.erased', payload }, now);
  }
}

/**
 * The audit record of a read that shows what only a moderator sees: articles that are not open, or
 * revisions of the first one that were never published. Empty where there is nothing of the kind.
 */
export function auditedRead(
  caller: Caller | null,
  articles: readonly (Subject & { readonly id: string })[],
  unpublished: readonly string[] = [],
): { readonly audited?: AuditedRead } {
  if (caller?.scopes.includes('admin:moderate') !== true) return {};
  const seen = articles.filter(
    (article, at) =>
      standingOf(article, caller) === 'moderator' &&
      (!isOpen(article) || (at === 0 && unpublished.length > 0)),
  );
  const ids = [...new Set(seen.map(({ id }) => id))];
  const [first] = ids;
  if (first === undefined) return {};
  const details = {
    ...(ids.length > 1 ? { articles: ids } : {}),
    ...(unpublished.length > 0 ? { unpublished_revisions: unpublished } : {}),
  };
  return { audited: { target_type: 'article', target_id: first, details } };
}
