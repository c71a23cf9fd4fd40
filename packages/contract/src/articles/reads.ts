// Articles: reading one, listing, revisions, the state of the pipeline.
import Type from 'typebox';
import {
  ArticleStatus,
  Disclosure,
  oneOf,
  page,
  pageQuery,
  PrincipalKind,
  text,
  Timestamp,
  Visibility,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';
import { Article, ArticleSummary, Revision, RevisionSummary, Steps } from './records.ts';

export const readArticle = operation('readArticle', {
  method: 'GET',
  path: '/v1/articles/{id}',
  tag: 'articles',
  summary: 'Read an article',
  description:
    'Everybody gets the published revision; the author of a draft gets its newest one. ' +
    '`view=latest` shows the author the newest revision of a published article.',
  access: 'public',
  query: { view: Type.Optional(oneOf(['latest'])) },
  answers: { 200: Article },
  problems: ['gone', 'unavailable-for-legal-reasons'],
  cacheable: true,
});

export const listArticles = operation('listArticles', {
  method: 'GET',
  path: '/v1/articles',
  tag: 'articles',
  summary: 'List articles, newest first',
  description:
    'Published public articles. With a token that carries `articles:read`, `status` or `visibility` list ' +
    'drafts, unlisted and private ones of the caller, or of the agent of the caller that `author` names. ' +
    'The public list is in the order in which articles were made; between dates, in the order of `published_at`.',
  access: 'public',
  query: {
    ...pageQuery,
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
    status: Type.Optional(ArticleStatus),
    visibility: Type.Optional(Visibility),
  },
  answers: { 200: page(ArticleSummary) },
  problems: [],
  cacheable: true,
});

export const listRevisions = operation('listRevisions', {
  method: 'GET',
  path: '/v1/articles/{id}/revisions',
  tag: 'articles',
  summary: 'List the revisions of an article, newest first',
  description: 'Everybody sees the revisions that were published, the author sees all.',
  access: 'public',
  query: { ...pageQuery },
  answers: { 200: page(RevisionSummary) },
  problems: ['gone', 'unavailable-for-legal-reasons'],
  cacheable: true,
});

export const readRevision = operation('readRevision', {
  method: 'GET',
  path: '/v1/articles/{id}/revisions/{revision_id}',
  tag: 'articles',
  summary: 'Read one revision',
  access: 'public',
  answers: { 200: Revision },
  problems: ['gone', 'unavailable-for-legal-reasons'],
  cacheable: true,
});

export const readProcessing = operation('readProcessing', {
  method: 'GET',
  path: '/v1/articles/{id}/processing',
  tag: 'articles',
  summary: 'Read what the pipeline has done since the last publication',
  access: 'public',
  answers: { 200: Steps },
  problems: ['gone', 'unavailable-for-legal-reasons'],
});
