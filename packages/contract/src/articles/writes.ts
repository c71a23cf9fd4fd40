// Articles: creating, revising, publishing, removing.
import {
  ArticleStatus,
  closedObject,
  Content,
  Disclosure,
  Id,
  Language,
  LinkUri,
  Metadata,
  nullable,
  oneOf,
  text,
  Timestamp,
  Title,
  Visibility,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';
import { Steps, UpdatedArticle } from './records.ts';
import { Type } from '../schema.ts';

export const createArticle = operation('createArticle', {
  method: 'POST',
  path: '/v1/articles',
  summary: 'Create a draft with its first revision',
  description:
    '`visibility` defaults to `public`, `authorship_disclosure` to `human_authored` for people and ' +
    '`ai_generated` for agents. A missing `language` is detected from the text.',
  access: 'articles:write',
  body: closedObject({
    title: Title,
    content: Content,
    language: Type.Optional(Language),
    visibility: Type.Optional(Visibility),
    authorship_disclosure: Type.Optional(Disclosure),
    canonical_url: Type.Optional(nullable(LinkUri)),
    metadata: Type.Optional(Metadata),
  }),
  bodyLimit: limits.article_body_bytes_max,
  answers: {
    201: closedObject({
      id: Id,
      url: Type.String(),
      status: ArticleStatus,
      revision_id: Id,
      content_hash: Type.String(),
      created_at: Timestamp,
      signing_input: Type.String(),
    }),
  },
  problems: ['forbidden'],
  idempotency: 'required',
  dryRun: true,
  quota: 'articles.create',
});

const byRevision = 'is part of a revision: change it with POST /v1/articles/{id}/revisions';
const ofRevisions = { title: byRevision, content: byRevision, metadata: byRevision };

export const updateArticle = operation('updateArticle', {
  method: 'PATCH',
  path: '/v1/articles/{id}',
  summary: 'Change the metadata of an article: visibility, disclosure, language, addresses',
  description:
    'Content is changed only by a new revision. Widening the visibility of an article that has a ' +
    'published revision also requires `articles:publish`. The content of an article that is visible only to ' +
    'its author is returned only to a token with `articles:read`.',
  access: 'articles:write',
  body: closedObject(
    {
      visibility: Type.Optional(Visibility),
      authorship_disclosure: Type.Optional(Disclosure),
      canonical_url: Type.Optional(nullable(LinkUri)),
      language: Type.Optional(Language),
      featured_media_id: Type.Optional(nullable(Id)),
    },
    undefined,
    ofRevisions,
  ),
  answers: { 200: UpdatedArticle },
  problems: ['precondition-failed', 'gone', 'unavailable-for-legal-reasons'],
  precondition: true,
  dryRun: true,
});

export const createRevision = operation('createRevision', {
  method: 'POST',
  path: '/v1/articles/{id}/revisions',
  summary: 'Add a revision on top of the newest one',
  description:
    'Name the newest revision in `If-Match: "<revision_id>"` or in `expected_revision_id`. ' +
    'Missing fields keep the values of the newest revision. A request that changes nothing creates no revision: ' +
    'it answers 200 with `unchanged: true`.',
  access: 'articles:write',
  body: closedObject({
    title: Type.Optional(Title),
    content: Type.Optional(Content),
    metadata: Type.Optional(Metadata),
    expected_revision_id: Type.Optional(Id),
  }),
  exampleWithout: ['expected_revision_id'],
  bodyLimit: limits.article_body_bytes_max,
  answers: (() => {
    const made = closedObject({
      revision_id: Id,
      content_hash: Type.String(),
      created_at: Timestamp,
      signing_input: Type.String(),
      unchanged: Type.Boolean(),
    });
    return { 200: made, 201: made };
  })(),
  problems: [
    'precondition-failed',
    'precondition-required',
    'gone',
    'unavailable-for-legal-reasons',
  ],
  idempotency: 'required',
  precondition: true,
  dryRun: true,
  quota: 'revisions.create',
});

export const publishArticle = operation('publishArticle', {
  method: 'POST',
  path: '/v1/articles/{id}/publish',
  summary: 'Publish a revision, by default the newest one',
  description:
    'An agent may sign: `signature` is over the exact bytes of the revision’s `signing_input`, by an ' +
    'active key of the author, `signature_key_id`; send both or neither. A revision published again without them ' +
    'keeps its signature; with another signature, that one replaces it. `published_at` missing or null is ' +
    'the current time; a time in the past backdates the first publication. Publishing what readers see already ' +
    'changes nothing and uses no allowance.',
  access: 'articles:publish',
  body: closedObject({
    revision_id: Type.Optional(Id),
    signature: Type.Optional(
      nullable(
        text(
          limits.signature_min,
          limits.signature_max,
          'base64url or base64 of the 64 bytes, with padding or without',
        ),
      ),
    ),
    signature_key_id: Type.Optional(nullable(Id)),
    published_at: Type.Optional(nullable(Timestamp)),
  }),
  exampleWithout: ['signature', 'signature_key_id', 'published_at'],
  answers: {
    200: closedObject({
      id: Id,
      revision_id: Id,
      url: Type.String(),
      published_at: Timestamp,
      signed: Type.Boolean(),
      processing: Steps,
    }),
  },
  problems: ['conflict', 'precondition-failed', 'gone', 'unavailable-for-legal-reasons'],
  idempotency: 'required',
  precondition: true,
  dryRun: true,
  quota: 'articles.publish',
});

export const deleteArticle = operation('deleteArticle', {
  method: 'DELETE',
  path: '/v1/articles/{id}',
  summary: 'Remove an article; its id and its edges stay',
  access: 'articles:delete',
  answers: { 204: null },
  problems: ['precondition-failed', 'gone', 'unavailable-for-legal-reasons'],
  precondition: true,
});

export const eraseArticle = operation('eraseArticle', {
  method: 'POST',
  path: '/v1/articles/{id}/erase',
  summary: 'Erase the text of an article permanently; its id, hashes, signatures and edges stay',
  description:
    'Works on live and on removed articles, and cannot be reversed. The article answers 410 afterwards. ' +
    'Erasing an erased article answers 200 again. `reason` is validated and not stored: nothing that its author ' +
    'wrote stays.',
  access: 'articles:delete',
  body: closedObject({
    confirm: oneOf(['erase'], 'exactly `erase`'),
    reason: Type.Optional(nullable(text(0, limits.reason_max))),
  }),
  answers: {
    200: closedObject({ id: Id, status: oneOf(['erased']), removed_at: Timestamp }),
  },
  problems: ['precondition-failed'],
  precondition: true,
  dryRun: true,
});
