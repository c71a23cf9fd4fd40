// GET /v1/articles: the public list with its filters; authors also see their drafts and private articles.
import { operations } from '@colophon/contract';
import type { QueryOf } from '@colophon/contract';
import type { Db } from '#database';
import { implement, limitOf, pageOf } from '#http';
import type { Caller, Problems } from '#http';
import { principalNamed } from '#identity';
import { isId } from '#lib/id';
import { canonicalLanguageTag } from '#lib/language-tag';
import { dateCursor, readDateCursor } from '#lib/list-cursor';
import { topicSlug } from '#lib/slug';
import { isDated, listListed, listOwn } from '../queries/index.ts';
import type { Filters, ListedPage, ListedRow } from '../queries/index.ts';
import { articleSummaries } from '../views.ts';

type Query = QueryOf<typeof operations.listArticles>;

function asksForOwn(query: Query): boolean {
  return (
    (query.status !== undefined && query.status !== 'published') ||
    (query.visibility !== undefined && query.visibility !== 'public')
  );
}

async function authorOf(db: Db, query: Query): Promise<string | undefined> {
  if (query.author === undefined) return undefined;
  return isId(query.author) ? query.author : principalNamed(db, query.author);
}

function filtersOf(query: Query, authorId: string | undefined): Filters {
  const { disclosure, kind, signed, since, until } = query;
  const language = canonicalLanguageTag(query.language ?? '') ?? query.language;
  const topic = query.topic === undefined ? undefined : (topicSlug(query.topic) ?? query.topic);
  return { authorId, topic, language, disclosure, kind, signed, since, until };
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
    const detail = 'is not of this list: send the next_cursor of its previous page';
    throw problem('invalid-request', `The query parameter cursor ${detail}.`, {
      errors: [{ pointer: '/cursor', code: 'foreign', detail }],
    });
  }
  return byDate ? { before: undefined, beforeDate } : { before: cursor, beforeDate: undefined };
}

interface Own {
  readonly caller: Caller;
  readonly authorId: string | undefined;
  readonly before: string | undefined;
}

function own(
  db: Db,
  query: Query,
  { caller, authorId, before }: Own,
): Promise<readonly ListedRow[]> {
  return listOwn(
    db,
    {
      ...filtersOf(query, undefined),
      bucket: caller.bucket,
      viewerId: caller.id,
      authorId: authorId ?? caller.id,
      status: query.status,
      visibility: query.visibility,
    },
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
      'Drafts, unlisted and private articles are listed for their author only: send a token.',
    );
  }
  if (mine) requireScope('articles:read');
  const authorId = await authorOf(db, query);
  const limit = limitOf(query);
  const byDate = !mine && isDated(query);
  const place = placeOf(problem, query, byDate);
  let rows: readonly ListedRow[] = [];
  if (query.author === undefined || authorId !== undefined) {
    rows =
      mine && caller !== null
        ? await own(db, query, { caller, authorId, before: place.before })
        : await listListed(db, filtersOf(query, authorId), { ...place, limit });
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
