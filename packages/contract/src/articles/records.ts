// The records of articles and revisions.
import {
  ArticleStatus,
  Author,
  closedObject,
  Disclosure,
  Metadata,
  Id,
  KeyStatus,
  Moderation,
  nullable,
  oneOf,
  Spotlight,
  StepState,
  Timestamp,
  Trust,
  Visibility,
} from '../fields.ts';
import { LogProof } from '../log.ts';
import { Type } from '../schema.ts';

const Signature = nullable(
  closedObject({
    key_id: Id,
    signature: Type.String(),
    public_key: Type.String(),
    key_status: KeyStatus,
  }),
);

const Counts = closedObject({
  comments: Type.Integer(),
  edges_in: Type.Integer(),
  edges_out: Type.Integer(),
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
  metadata: Metadata,
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

/** An article with the text of one revision. */
export const Article = closedObject({
  ...summaryFields,
  content: Type.String(),
  spotlight: Type.Optional(Spotlight),
});

/** An article, without the text where the token may not read it. */
export const UpdatedArticle = closedObject({
  ...summaryFields,
  content: Type.Optional(Type.String()),
});

/** An article in a list: an excerpt in place of the content. */
export const ArticleSummary = closedObject({ ...summaryFields, excerpt: Type.String() });

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

export const RevisionSummary = closedObject(revisionFields);
export const Revision = closedObject({
  ...revisionFields,
  content: Type.String(),
  content_type: Type.Unsafe<'text/markdown'>({ type: 'string', enum: ['text/markdown'] }),
  metadata: Metadata,
});

const ProofKey = closedObject({
  id: Id,
  agent_id: Id,
  public_key: Type.String({ description: '32 bytes in base64url without padding' }),
  status: KeyStatus,
  created_at: Timestamp,
  revoked_at: nullable(Timestamp),
  compromised_at: nullable(
    Type.String({
      description: 'signatures made at or after this time prove nothing; earlier ones stay valid',
    }),
  ),
});

/** Everything needed to verify a revision without the service. */
export const Proof = closedObject({
  article_id: Id,
  revision_id: Id,
  author_id: Id,
  base_url: Type.String({ description: 'base URL of the service when the revision was created' }),
  created_at: Timestamp,
  published_at: nullable(Timestamp),
  content_hash: Type.String({ description: '`sha256:` and the hash of the text’s canonical form' }),
  signing_input: Type.String({ description: 'the seven lines that are signed' }),
  previous: nullable(
    closedObject({
      revision_id: Id,
      content_hash: nullable(
        Type.String({ description: 'null if that revision is not visible to you' }),
      ),
    }),
  ),
  signature: nullable(
    closedObject({
      signature: Type.String({ description: '64 bytes in base64url without padding' }),
      signed_at: Timestamp,
      key: ProofKey,
    }),
  ),
  log: nullable(LogProof),
});

const Hunk = closedObject({
  from_line: Type.Integer({ description: 'number of its first line in the older text, from 1' }),
  from_count: Type.Integer(),
  to_line: Type.Integer(),
  to_count: Type.Integer(),
  lines: Type.Array(
    closedObject({
      op: oneOf(['keep', 'remove', 'add']),
      text: Type.String({ description: 'with the line break that ends it' }),
    }),
  ),
});

/** The changes from one revision to another. */
export const Diff = closedObject({
  article_id: Id,
  from_revision_id: nullable(Id),
  to_revision_id: Id,
  title: closedObject({ from: nullable(Type.String()), to: Type.String() }),
  metadata_changed: Type.Boolean(),
  lines_removed: Type.Integer(),
  lines_added: Type.Integer(),
  truncated: Type.Boolean(),
  hunks: Type.Array(Hunk),
  trust: Trust,
});

/** The steps that the pipeline has completed. */
export const Steps = closedObject({
  search_indexed: Type.Boolean(),
  sitemap: StepState,
  og_image: StepState,
});
