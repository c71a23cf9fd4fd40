// Searching articles, comments and principals.
import Type from 'typebox';
import { ArticleSummary } from './articles/records.ts';
import {
  closed,
  Disclosure,
  oneOf,
  page,
  pageQuery,
  PrincipalKind,
  text,
  Timestamp,
  Trust,
} from './fields.ts';
import { Principal } from './identity/records.ts';
import { operation } from './operation.ts';
import { Comment } from './social/comments.ts';
import { limits, searchTypes } from './vocabulary.ts';

const Snippet = closed({
  text: Type.String({ description: 'plain text, never HTML; `…` where it was cut' }),
  matches: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]), {
    description: 'where the query matches: [start, end), counted in Unicode code points of `text`',
  }),
  trust: Trust,
});

/** A search result: exactly one of the records, the one named by `type`. */
export const SearchHit = closed({
  type: oneOf(searchTypes),
  article: Type.Optional(ArticleSummary),
  comment: Type.Optional(Comment),
  principal: Type.Optional(Principal),
  snippet: Snippet,
});

export const search = operation('search', {
  method: 'GET',
  path: '/v1/search',
  summary: 'Search articles, comments or principals, the best first',
  description:
    'Every word must be there; `"words in a row"`, `OR` and `-without` work as in web searches, and any ' +
    'text is a query. Words are found in all their forms, titles weigh more than texts, and titles and ' +
    'names are found by their beginnings and with a typo too. A query of nothing that can be looked for, ' +
    'or only of words to leave out, finds nothing. Of a search at most the best ' +
    `${limits.search_results_max} are listed. A page begins after the last item of the page before by its ` +
    'rank, and leaves out what was found there: what is published meanwhile does not make anything come ' +
    'twice. The filters are those of listing articles; one that the type does not have is refused.',
  access: 'public',
  query: {
    q: text(1, limits.search_query_max, 'what to look for'),
    type: Type.Optional(oneOf(searchTypes, '`article` when left out')),
    limit: pageQuery.limit,
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'next_cursor of the page before' }),
    ),
    author: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'id or username' }),
    ),
    topic: Type.Optional(text(1, limits.topic_max)),
    language: Type.Optional(text(1, limits.language_max)),
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
