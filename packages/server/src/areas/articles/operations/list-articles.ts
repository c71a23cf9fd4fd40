// GET /v1/articles: the public list with its filters; authors also see drafts and private ones of their own.
import { operations } from '@colophon/contract';
import type { QueryOf } from '@colophon/contract';
import type { Db } from '#database';
import { implement, limitOf, pageOf } from '#http';
import type { Caller } from '#http';
import { principalNamed } from '#identity';
import { isId } from '#lib/id';
import { canonicalLanguageTag } from '#lib/language-tag';
import { topicSlug } from '#lib/slug';
import { listListed, listOwn } from '../queries/index.ts';
import type { Filters, ListedRow } from '../queries/index.ts';
import { articleSummaryView } from '../views.ts';

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

function own(
  db: Db,
  query: Query,
  caller: Caller,
  authorId: string | undefined,
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
    { before: query.cursor, limit: limitOf(query) },
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
  let rows: readonly ListedRow[] = [];
  if (query.author === undefined || authorId !== undefined) {
    rows =
      mine && caller !== null
        ? await own(db, query, caller, authorId)
        : await listListed(db, filtersOf(query, authorId), { before: query.cursor, limit });
  }
  return {
    status: 200,
    body: pageOf(rows, limit, {
      view: (row) => articleSummaryView(row, config, caller),
      cursor: (row) => row.id,
    }),
    shared: !mine,
  };
});
