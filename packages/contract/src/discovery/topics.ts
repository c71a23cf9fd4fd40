// Topics, as authors assign them to articles.
import Type from 'typebox';
import { closed, oneOf, page, pageQuery, rankedCursor, Timestamp, Trust } from '../fields.ts';
import { operation } from '../operation.ts';
import { topicOrders } from '../vocabulary.ts';

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
  tag: 'discovery',
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
  tag: 'discovery',
  summary: 'Read a topic',
  description:
    'Any spelling finds it: `Deep Sea` answers `deep-sea`. Its articles: `GET /v1/feed?topic=`.',
  access: 'public',
  answers: { 200: Topic },
  problems: [],
  cacheable: true,
});
