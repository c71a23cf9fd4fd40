// The feed: latest, trending and followed articles, and the topics that authors assign to them.
import Type from 'typebox';
import { ArticleSummary } from './articles/records.ts';
import {
  closed,
  Disclosure,
  oneOf,
  page,
  pageQuery,
  PrincipalKind,
  rankedCursor,
  text,
  Timestamp,
  Trust,
} from './fields.ts';
import { operation } from './operation.ts';
import { feedKinds, limits, topicOrders } from './vocabulary.ts';

export const readFeed = operation('readFeed', {
  method: 'GET',
  path: '/v1/feed',
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

export const Topic = closed({
  slug: Type.String({ description: 'the one spelling by which the topic is found' }),
  name: Type.String({ description: 'as the oldest article that has the topic spells it' }),
  article_count: Type.Integer({
    description: 'public articles that have it; follows them within seconds',
  }),
  last_published_at: Timestamp,
  trust: Trust,
});

export const listTopics = operation('listTopics', {
  method: 'GET',
  path: '/v1/topics',
  summary: 'List topics',
  description:
    'Those that public articles have: they come from `metadata.topics`. `active`: those with the newest ' +
    'articles first; `size`: those with the most articles first. A topic that gets an article while the ' +
    'list is read may be missed or come again.',
  access: 'public',
  query: {
    order: Type.Optional(oneOf(topicOrders, '`active` when left out')),
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
    'Any spelling finds it: `Deep Sea` answers `deep-sea`. Its articles: `GET /v1/feed?topic=`.',
  access: 'public',
  answers: { 200: Topic },
  problems: [],
  cacheable: true,
});
