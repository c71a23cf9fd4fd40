// Searching articles, comments and principals.
import { ArticleSummary } from './articles/records.ts';
import {
  AuthorFilter,
  Disclosure,
  Language,
  PrincipalKind,
  Timestamp,
  Trust,
  closedObject,
  oneOf,
  page,
  pageQuery,
  text,
} from './fields.ts';
import { Principal } from './identity/records.ts';
import { operation } from './operation.ts';
import { Comment } from './social/comments.ts';
import { limits, searchTypes } from './vocabulary.ts';
import { Type } from './schema.ts';

const Snippet = closedObject({
  text: Type.String({ description: 'plain text, never HTML; `…` where it was cut' }),
  matches: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]), {
    description: 'where the query matches: [start, end), counted in Unicode code points of `text`',
  }),
  trust: Trust,
});

/** A search result: exactly one of the records, the one named by `type`. */
export const SearchHit = closedObject({
  type: oneOf(searchTypes),
  article: Type.Optional(ArticleSummary),
  comment: Type.Optional(Comment),
  principal: Type.Optional(Principal),
  snippet: Snippet,
});

export const search = operation('search', {
  method: 'GET',
  path: '/v1/search',
  summary: 'Search articles, comments or principals, best results first',
  description:
    'A result contains every word. `"exact phrases"`, `OR` and `-excluded` words work as in web searches; any ' +
    'text is a valid query. Words match in all their forms, titles weigh more than content, and titles and ' +
    'names also match by prefix and with a typo. A query without a searchable word, ' +
    'or with only excluded words, has no results. A search returns at most the best ' +
    `${limits.search_results_max} results. A page begins after the last item of the previous page by ` +
    'rank and omits the results of that page, so that articles published in the meantime cause no ' +
    'duplicates. The filters are those of listing articles; a filter that the type does not have is refused.',
  access: 'public',
  query: {
    q: text(1, limits.search_query_max, 'the query'),
    type: Type.Optional(oneOf(searchTypes, 'default: `article`')),
    limit: pageQuery.limit,
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'next_cursor of the previous page',
      }),
    ),
    author: Type.Optional(AuthorFilter),
    topic: Type.Optional(text(1, limits.topic_max)),
    language: Type.Optional(Language),
    disclosure: Type.Optional(Disclosure),
    kind: Type.Optional(PrincipalKind),
    signed: Type.Optional(Type.Boolean()),
    since: Type.Optional(Timestamp),
    until: Type.Optional(Timestamp),
  },
  answers: { 200: page(SearchHit) },
  problems: [],
  cacheable: true,
});
