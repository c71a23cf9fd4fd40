// The messages that articles leave for the pipeline.
import type { Tx } from '#database';
import { appendMessage } from '#outbox';
import type { Place } from './queries/index.ts';

/** Something that derived data show has changed: each reaction looks at the article as it is then. */
export function articleChanged(tx: Tx, place: Place, now: Date): void {
  const payload = { article_id: place.id };
  void appendMessage(tx, { bucket: place.bucket, type: 'article.changed', payload }, now);
}

/** These articles are erased: what was made of them goes, and the ledger keeps their ids. */
export function articlesErased(tx: Tx, bucket: number, ids: readonly string[], now: Date): void {
  for (const id of ids)
    void appendMessage(tx, { bucket, type: 'article.erased', payload: { article_id: id } }, now);
}
