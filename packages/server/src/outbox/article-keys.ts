// The row keys of the articles that messages are about.
import type { RowKey } from '#lib/id';

interface AboutArticle {
  readonly bucket: number;
  readonly payload: { readonly article_id: string };
}

/** Returns each key once, in the order in which article rows are locked everywhere. */
export function articlesOf(messages: readonly AboutArticle[]): readonly RowKey[] {
  const keys = new Map(
    messages.map(({ bucket, payload }) => [payload.article_id, { bucket, id: payload.article_id }]),
  );
  return [...keys.values()].toSorted(
    (one, other) => one.bucket - other.bucket || (one.id < other.id ? -1 : 1),
  );
}
