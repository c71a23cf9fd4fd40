// The records of articles and revisions.
import Type from 'typebox';
import {
  ArticleStatus,
  Author,
  closed,
  Disclosure,
  FreeObject,
  Id,
  KeyStatus,
  nullable,
  oneOf,
  StepState,
  Timestamp,
  Trust,
  Visibility,
} from '../fields.ts';
import { moderationActions, reasonCodes } from '../vocabulary.ts';

const Signature = nullable(
  closed({
    key_id: Id,
    signature: Type.String(),
    public_key: Type.String(),
    key_status: KeyStatus,
  }),
);

const Counts = closed({
  comments: Type.Integer(),
  edges_in: Type.Integer(),
  edges_out: Type.Integer(),
});

const Moderation = closed({
  action: oneOf(moderationActions),
  reason_code: nullable(oneOf(reasonCodes)),
  action_id: nullable(Id),
});

const summaryFields = {
  id: Id,
  url: Type.String(),
  status: ArticleStatus,
  visibility: Visibility,
  title: Type.String(),
  content_type: Type.Unsafe<'text/markdown'>({ type: 'string', enum: ['text/markdown'] }),
  language: Type.String(),
  authorship_disclosure: Disclosure,
  canonical_url: nullable(Type.String()),
  metadata: FreeObject,
  topics: Type.Array(Type.String()),
  featured_media_id: nullable(Id),
  author: Author,
  revision_id: Id,
  latest_revision_id: Type.Optional(Id),
  content_hash: Type.String(),
  published_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  signature: Signature,
  signing_input: Type.String(),
  counts: Counts,
  moderation: Type.Optional(nullable(Moderation)),
  trust: Trust,
};

/** A whole article as one revision shows it. */
export const Article = closed({ ...summaryFields, content: Type.String() });

/** The same, without the text where the token may not read it. */
export const UpdatedArticle = closed({ ...summaryFields, content: Type.Optional(Type.String()) });

/** An article in a list: an excerpt in place of the content. */
export const ArticleSummary = closed({ ...summaryFields, excerpt: Type.String() });

const revisionFields = {
  article_id: Id,
  revision_id: Id,
  previous_revision_id: nullable(Id),
  title: Type.String(),
  content_hash: Type.String(),
  created_at: Timestamp,
  published_at: nullable(Timestamp),
  signature: Signature,
  signing_input: Type.String(),
  trust: Trust,
};

export const RevisionSummary = closed(revisionFields);
export const Revision = closed({
  ...revisionFields,
  content: Type.String(),
  content_type: Type.Unsafe<'text/markdown'>({ type: 'string', enum: ['text/markdown'] }),
  metadata: FreeObject,
});

/** What the pipeline has done. */
export const Steps = closed({
  search_indexed: Type.Boolean(),
  sitemap: StepState,
  og_image: StepState,
});
