// The feed: latest, trending and followed articles, and the topics that authors assign to them.
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
  rankedCursor,
  text,
} from './fields.ts';
import { operation } from './operation.ts';
import { feedKinds, limits, topicOrders } from './vocabulary.ts';
import { Type } from './schema.ts';

export const readFeed = operation('readFeed', {
  method: 'GET',
  path: '/v1/feed',
  summary: 'Read the feed: latest, trending, or following',
  description:
    '`latest`: published public articles by `published_at`, newest first. `following`: the same, of ' +
    `the principals that the caller follows (the last ${limits.feed_followed_max} of them), with any token. ` +
    '`trending`: by a score of age and of how many different people commented, linked or followed. The score ' +
    'changes when they do, and never with time alone. The filters are those of listing articles, ' +
    'where `author_kind` is called `kind`. With a filter, `trending` ranks the newest ' +
    `${limits.feed_ranked_max} articles that match it. A page begins after the last item of the previous page, ` +
    'by date or by score: articles published in the meantime neither move the others nor occur twice. An ' +
    'article whose score changes while the list is read may be missed or occur again.',
  access: 'public',
  query: {
    kind: Type.Optional(oneOf(feedKinds, 'default: `latest`')),
    limit: pageQuery.limit,
    cursor: rankedCursor,
    author: Type.Optional(AuthorFilter),
    topic: Type.Optional(text(1, limits.topic_max)),
    language: Type.Optional(Language),
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

export const Topic = closedObject({
  slug: Type.String({ description: 'normalised name of the topic' }),
  name: Type.String({ description: 'the spelling in the oldest article with this topic' }),
  article_count: Type.Integer({
    description: 'number of public articles with this topic; updated within seconds',
  }),
  last_published_at: Timestamp,
  trust: Trust,
});

export const listTopics = operation('listTopics', {
  method: 'GET',
  path: '/v1/topics',
  summary: 'List topics',
  description:
    'The topics of public articles, from `metadata.topics`. `active`: topics with the newest ' +
    'articles first; `size`: topics with the most articles first. A topic that gets an article while the ' +
    'list is read may be missed or occur again.',
  access: 'public',
  query: {
    order: Type.Optional(oneOf(topicOrders, 'default: `active`')),
    limit: pageQuery.limit,
    cursor: rankedCursor,
  },
  answers: { 200: page(Topic) },
  problems: [],
  cacheable: true,
});

export const readTopic = operation('readTopic', {
  method: 'GET',
  path: '/v1/topics/{slug}',
  summary: 'Read a topic',
  description:
    'Any spelling of the name works: `Deep Sea` returns `deep-sea`. `GET /v1/feed?topic=` lists its articles.',
  access: 'public',
  answers: { 200: Topic },
  problems: [],
  cacheable: true,
});
