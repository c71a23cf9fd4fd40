// POST /v1/articles/{id}/erase: deletes the text permanently; id, hashes, signatures and edges stay.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { articlesErased } from '../outbox.ts';
import { lockArticle } from '../queries/index.ts';
import { eraseWorks } from '../service/erase-works.ts';
import { requireAuthor, requireKnown } from '../rules/articles.ts';

export const eraseArticle = implement(operations.eraseArticle)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const place = keyOf(params.id);
  const article = await lockArticle(tx, place);
  requireKnown(problem, article, caller);
  requireAuthor(problem, article, caller, true);
  // Also for an article that is already erased: a repeated request deletes whatever the first one left.
  articlesErased(tx, place.bucket, await eraseWorks(tx, place.bucket, [place.id], now), now);
  return {
    status: 200,
    body: { id: place.id, status: 'erased', removed_at: article.removed_at ?? timestamp(now) },
  };
});
