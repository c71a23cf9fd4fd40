// DELETE /v1/articles/{id}: leaves a tombstone; the id and the edges stay.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { articleChanged } from '../outbox.ts';
import { lockArticle, setRemoved } from '../queries/index.ts';
import { requireAuthor, requireKnown, requireLive, requireNewest } from '../rules/articles.ts';

export const deleteArticle = implement(operations.deleteArticle)(async (
  { tx, caller, problem, now },
  { params, ifMatch },
) => {
  const key = keyOf(params.id);
  const article = await lockArticle(tx, key);
  requireKnown(problem, article, caller);
  requireAuthor(problem, article, caller, true);
  requireLive(problem, article);
  requireNewest(problem, article, ifMatch);
  void setRemoved(tx, key, now);
  if (article.published_revision_id !== null) articleChanged(tx, key, now);
  return { status: 204, body: undefined };
});
