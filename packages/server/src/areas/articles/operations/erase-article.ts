// POST /v1/articles/{id}/erase: deletes the text permanently; id, hashes, signatures and edges stay.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { insertPendingErasures, listUnrecorded, lockArticle } from '../queries/index.ts';
import { eraseWorks, recordErasures } from '../service/erasing.ts';
import { requireAuthor, requireKnown, requireNewest } from '../rules/articles.ts';

export const eraseArticle = implement(operations.eraseArticle)(async (
  { tx, caller, problem, now, ledger, afterwards },
  { params, ifMatch },
) => {
  const key = keyOf(params.id);
  const article = await lockArticle(tx, key);
  requireKnown(problem, article, caller);
  requireAuthor(problem, article, caller, true);
  requireNewest(problem, article, ifMatch);
  // Also for an article that is already erased: a repeated request deletes whatever the first one left.
  const works = { bucket: key.bucket, ids: [key.id] };
  const erased = await eraseWorks(tx, works, { at: now });
  if (erased.length > 0) void insertPendingErasures(tx, works, now);
  // Also for an erased article whose first request was not answered: the ledger may not contain it.
  const unrecorded = await listUnrecorded(tx, works);
  afterwards(async (db) => {
    await recordErasures({ db, ledger }, unrecorded, now).catch((cause: Error) => {
      const refused = problem(
        'unavailable',
        'The article is erased, but the media store, which must remember that for backups, did not answer. The service writes it there as soon as the store answers again.',
        { retry_after_seconds: 5 },
      );
      throw Object.assign(refused, { cause });
    });
  });
  return {
    status: 200,
    body: { id: key.id, status: 'erased', removed_at: article.removed_at ?? timestamp(now) },
  };
});
