// GET /v1/articles/{id}: the published revision; to the author of a draft, the newest one.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import type { Caller, Problems } from '#http';
import { bucketOf } from '#lib/id';
import { findShown } from '../queries/index.ts';
import type { ArticleRow } from '../queries/index.ts';
import { requireReadable, requireReadScope, standingOf } from '../rules.ts';
import { articleView } from '../views.ts';

type Refuse = Problems<'unauthenticated' | 'forbidden'>;

/** Only the author and the owner see what is not published yet. @throws unauthenticated, forbidden, insufficient-scope */
function requireLatestView(problem: Refuse, article: ArticleRow, caller: Caller | null): void {
  if (caller === null) throw problem('unauthenticated', 'view=latest needs a token of the author.');
  if (['reader', 'moderator'].includes(standingOf(article, caller))) {
    throw problem(
      'forbidden',
      'view=latest is for the author. Leave it out to read the published revision.',
    );
  }
  requireReadScope(article, caller);
}

export const readArticle = implement(operations.readArticle)(async (
  { db, caller, problem, config },
  { params, query },
) => {
  const latest = query.view === 'latest';
  const place = { bucket: bucketOf(params.id), id: params.id };
  const row = await findShown(db, place, latest ? (caller?.id ?? null) : null);
  requireReadable(problem, row, caller);
  if (latest) requireLatestView(problem, row, caller);
  return {
    status: 200,
    body: articleView(row, config, caller),
    etag: row.revision_id,
    etagOfRepresentation: true,
    shared: row.status === 'published' && row.visibility === 'public',
  };
});
