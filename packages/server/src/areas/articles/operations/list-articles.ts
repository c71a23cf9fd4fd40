// GET /v1/articles: the public list with its filters; authors also see their drafts and private articles.
import { operations } from '@colophon/contract';
import type { QueryOf } from '@colophon/contract';
import type { Db } from '#database';
import { implement, limitOf, pageOf } from '#http';
import type { Caller, Problems } from '#http';
import { isId } from '#lib/id';
import { dateCursor, readDateCursor } from '#lib/list-cursor';
import { isDated, listListed, listOwn } from '../queries/index.ts';
import type { ArticleFilters, ListedPage, ListedRow } from '../queries/index.ts';
import { articleFilters } from '../service/filters.ts';
import { articleSummaries } from '../views/articles.ts';

type Query = QueryOf<typeof operations.listArticles>;

function asksForOwn(query: Query): boolean {
  return (
    (query.status !== undefined && query.status !== 'published') ||
    (query.visibility !== undefined && query.visibility !== 'public')
  );
}

type Place = Pick<ListedPage, 'before' | 'beforeDate'>;

/**
 * Returns the position that the cursor names. @throws invalid-request: when the cursor belongs to another
 * order or to no list
 */
function placeOf(problem: Problems<'invalid-request'>, query: Query, byDate: boolean): Place {
  const { cursor } = query;
  if (cursor === undefined) return { before: undefined, beforeDate: undefined };
  const beforeDate = byDate ? readDateCursor(cursor) : undefined;
  if (byDate ? beforeDate === undefined : !isId(cursor)) {
    const detail = 'does not belong to this list: send the next_cursor of the previous page';
    throw problem('invalid-request', `The query parameter cursor ${detail}.`, {
      errors: [{ pointer: '/cursor', code: 'foreign', detail }],
    });
  }
  return byDate ? { before: undefined, beforeDate } : { before: cursor, beforeDate: undefined };
}

function own(
  db: Db,
  caller: Caller,
  query: Query,
  { filters, before }: { readonly filters: ArticleFilters; readonly before: string | undefined },
): Promise<readonly ListedRow[]> {
  const { id: viewerId, bucket } = caller;
  const { status, visibility } = query;
  const authorId = filters.authorId ?? viewerId;
  return listOwn(
    db,
    { ...filters, bucket, viewerId, authorId, status, visibility },
    { before, limit: limitOf(query) },
  );
}

export const listArticles = implement(operations.listArticles)(async (
  { db, caller, problem, config, requireScope },
  { query },
) => {
  const mine = asksForOwn(query);
  if (mine && caller === null) {
    throw problem(
      'unauthenticated',
      'Drafts, unlisted and private articles are listed only for their author: send a token.',
    );
  }
  if (mine) requireScope('articles:read');
  const filters = await articleFilters(db, query);
  const limit = limitOf(query);
  const byDate = !mine && isDated(query);
  const place = placeOf(problem, query, byDate);
  let rows: readonly ListedRow[] = [];
  if (filters !== undefined) {
    rows =
      mine && caller !== null
        ? await own(db, caller, query, { filters, before: place.before })
        : await listListed(db, filters, { ...place, limit });
  }
  const summaries = await articleSummaries(rows, config, caller);
  return {
    status: 200,
    body: pageOf(summaries, limit, {
      view: (summary) => summary,
      cursor: ({ id, published_at }) =>
        byDate && published_at !== null ? dateCursor({ published_at, id }) : id,
    }),
    shared: !mine,
  };
});
