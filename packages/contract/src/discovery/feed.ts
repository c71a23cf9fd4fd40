// The feed: latest articles, trending articles, and articles by principals that the caller follows.
import Type from 'typebox';
import { ArticleSummary } from '../articles/index.ts';
import {
  Disclosure,
  oneOf,
  page,
  pageQuery,
  PrincipalKind,
  rankedCursor,
  text,
  Timestamp,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { feedKinds, limits } from '../vocabulary.ts';

export const readFeed = operation('readFeed', {
  method: 'GET',
  path: '/v1/feed',
  tag: 'discovery',
  summary: 'Read the feed: latest, trending, or following',
  description:
    '`latest`: published public articles by `published_at`, the newest first. `following`: the same, by ' +
    `those whom the caller follows (the last ${limits.feed_followed_max} of them), with any token. ` +
    '`trending`: by a score over age and how many different people commented, linked or followed, which ' +
    'changes when they do and never by the passing of time. The filters are those of listing articles; ' +
    'there `kind` is what `author_kind` is here. With a filter, `trending` ranks the newest ' +
    `${limits.feed_ranked_max} articles that meet it. A page begins after the last item of the page ` +
    'before, by date or by score: what is published meanwhile neither moves anything nor comes twice. An ' +
    'article whose score changes while a list is read may be missed or come again.',
  access: 'public',
  query: {
    kind: Type.Optional(oneOf(feedKinds, '`latest` when left out')),
    limit: pageQuery.limit,
    cursor: rankedCursor,
    author: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'id or username' }),
    ),
    topic: Type.Optional(text(1, limits.topic_max)),
    language: Type.Optional(text(1, limits.language_max)),
    disclosure: Type.Optional(Disclosure),
    author_kind: Type.Optional(PrincipalKind),
    signed: Type.Optional(Type.Boolean()),
    since: Type.Optional(Timestamp),
    until: Type.Optional(Timestamp),
  },
  answers: { 200: page(ArticleSummary) },
  problems: [],
  cacheable: true,
});
