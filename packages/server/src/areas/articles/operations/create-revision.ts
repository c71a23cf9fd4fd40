// POST /v1/articles/{id}/revisions: adds a revision to the one that the caller believes to be the newest.
import { operations } from '@colophon/contract';
import type { BodyOf } from '@colophon/contract';
import { implement, invalid } from '#http';
import type { Problems } from '#http';
import { keyOf, newId } from '#lib/id';
import { readStored } from '#lib/stored-json';
import { timestamp } from '#lib/timestamp';
import { findRevision, insertRevision, lockArticle } from '../queries/index.ts';
import type { RevisionRow } from '../queries/index.ts';
import {
  changeTime,
  contentOf,
  requireAuthor,
  requireKnown,
  requireLive,
  requireNewest,
} from '../rules/articles.ts';
import { signingInput, signingInputOf } from '../rules/signatures.ts';

type Refuse = Problems<'precondition-required'>;

const howTo = 'Send If-Match: "<revision_id>" or expected_revision_id with the newest revision';

/** Header and body may both name the revision, but not two different ones. @throws validation-failed */
function requireOneName(header: string | undefined, member: string | undefined): void {
  if (header === undefined || member === undefined || header === member) return;
  throw invalid([
    {
      pointer: '/expected_revision_id',
      code: 'contradiction',
      detail:
        'differs from the revision in If-Match: send only one of them, or the same revision in both',
    },
  ]);
}

/** Returns the revision that the caller names in header or body. @throws precondition-required */
function expectedRevision(problem: Refuse, expected: string | undefined, current: string): string {
  if (expected !== undefined && expected !== '*') return expected;
  const why =
    expected === '*'
      ? 'If-Match: * is refused, because it would overwrite changes that you have not seen. '
      : '';
  throw problem('precondition-required', `${why}${howTo}: ${current}.`, {
    current_revision_id: current,
  });
}

function metadataOf({ metadata }: RevisionRow): Record<string, unknown> {
  return metadata === null ? {} : (readStored(metadata) as Record<string, unknown>);
}

/** Returns the content after the body's changes; omitted members keep the newest revision's value. */
function textOf(body: BodyOf<typeof operations.createRevision>, newest: RevisionRow) {
  return contentOf({
    title: body.title ?? newest.title ?? '',
    content: body.content ?? newest.content ?? '',
    metadata: body.metadata ?? metadataOf(newest),
  });
}

function unchangedAnswer(newest: RevisionRow) {
  return {
    status: 200 as const,
    etag: newest.revision_id,
    body: {
      revision_id: newest.revision_id,
      content_hash: newest.content_hash,
      created_at: newest.revision_created_at,
      signing_input: signingInputOf(newest),
      unchanged: true,
    },
  };
}

export const createRevision = implement(
  operations.createRevision,
  async (_context, { body, ifMatch }) => requireOneName(ifMatch, body.expected_revision_id),
)(async ({ tx, caller, problem, config, now, charge }, { params, body, ifMatch }) => {
  const key = keyOf(params.id);
  const [article, newest] = await Promise.all([lockArticle(tx, key), findRevision(tx, key, null)]);
  requireKnown(problem, article, caller);
  requireAuthor(problem, article, caller, false);
  requireLive(problem, article);
  if (newest === undefined) throw problem('not-found', 'No article has this id.');
  const current = article.latest_revision_id;
  const expected = expectedRevision(problem, ifMatch ?? body.expected_revision_id, current);
  requireNewest(problem, article, expected);
  const content = await textOf(body, newest);
  if (content.hash === newest.content_hash) return unchangedAnswer(newest);
  // Lists are in the order of the ids. The newest revision may be by a host whose clock is ahead.
  const at = changeTime({ updated_at: newest.revision_created_at }, now);
  const revisionId = newId(key.bucket, at.getTime());
  const made = { ...key, revisionId, signingBase: config.baseUrl, content, now: at };
  void insertRevision(tx, { ...made, previousRevisionId: current });
  charge('revisions.create');
  const createdAt = timestamp(at);
  return {
    status: 201,
    location: `/v1/articles/${key.id}/revisions/${revisionId}`,
    etag: revisionId,
    body: {
      revision_id: revisionId,
      content_hash: content.hash,
      created_at: createdAt,
      signing_input: signingInput({
        base: config.baseUrl,
        articleId: key.id,
        revisionId,
        authorId: article.author_id,
        createdAt,
        contentHash: content.hash,
      }),
      unchanged: false,
    },
  };
});
