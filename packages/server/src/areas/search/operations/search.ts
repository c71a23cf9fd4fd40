// GET /v1/search: articles, comments or principals, the best first.
import { operations } from '@colophon/contract';
import type { QueryOf } from '@colophon/contract';
import { implement, limitOf, problem } from '#http';
import type { Problem } from '#http';
import { authorNamed } from '#identity';
import { canonicalLanguageTag } from '@colophon/text/lib/language-tag';
import { topicSlug } from '#lib/slug';
import { cursorOf, readCursor, refusedFilter, timeOfPage } from '../rules/search-request.ts';
import type { SearchRequest } from '../rules/search-request.ts';
import { resolveQuery } from '../service/resolve-query.ts';
import { searchArticles } from '../service/search-articles.ts';
import { searchComments } from '../service/search-comments.ts';
import { searchPrincipals } from '../service/search-principals.ts';

type Query = QueryOf<typeof operations.search>;

function filtersOf(query: Query, authorId: string | undefined): SearchRequest['filters'] {
  const { disclosure, kind, signed, since, until } = query;
  const language = canonicalLanguageTag(query.language ?? '') ?? query.language;
  const topic = query.topic === undefined ? undefined : (topicSlug(query.topic) ?? query.topic);
  return { authorId, topic, language, disclosure, kind, signed, since, until };
}

const wrongCursors = {
  wrong: 'is malformed: send the next_cursor of a page of this search',
  other: 'belongs to another search: send it with the parameters of that search',
} as const;

function cursorProblem(reason: keyof typeof wrongCursors): Problem {
  const detail = wrongCursors[reason];
  const code = reason === 'wrong' ? 'format' : 'foreign';
  return problem('invalid-request', `The query parameter cursor ${detail}.`, {
    errors: [{ pointer: '/cursor', code, detail }],
  });
}

/** The stages after resolve: plan, candidates, rank and snippets. */
const searchOf = {
  article: searchArticles,
  comment: searchComments,
  principal: searchPrincipals,
} as const;

export const search = implement(operations.search)(async (
  { db, caller, config, problem: refuse, now },
  { query },
) => {
  const type = query.type ?? 'article';
  const refused = refusedFilter(type, query);
  if (refused !== undefined) throw refuse('invalid-request', refused);
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, query);
  if (typeof after === 'string') throw cursorProblem(after);
  const authorId = await authorNamed(db, query.author);
  if (authorId === null)
    return { status: 200, body: { items: [], next_cursor: null }, shared: true };
  const resolved = await resolveQuery(db, {
    type,
    text: query.q,
    filters: filtersOf(query, authorId),
    limit: limitOf(query),
    after,
    now,
    ...timeOfPage(after, now, query.until),
  });
  const { items, next } = await searchOf[type]({ db, config, caller }, resolved);
  return {
    status: 200,
    body: { items, next_cursor: next === undefined ? null : cursorOf(next, query) },
    shared: true,
  };
});
