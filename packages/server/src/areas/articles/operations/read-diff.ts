// GET /v1/articles/{id}/diff: the changes from one revision to another, line by line.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import type { Caller, Problems } from '#http';
import { bucketOf } from '#lib/id';
import { findCompared } from '../queries/index.ts';
import type { ComparedRow } from '../queries/index.ts';
import { auditedRead, requireReadable, requireRevisionReadable } from '../rules/articles.ts';
import { diffView } from '../views/diffs.ts';

interface Input {
  readonly from?: string | undefined;
}

type Refuse = Problems<'not-found'>;

/** Requires that both revisions are visible to the caller. @throws not-found, insufficient-scope */
function requireBoth(
  problem: Refuse,
  row: ComparedRow,
  { from }: Input,
  caller: Caller | null,
): asserts row is ComparedRow & { readonly to_id: string } {
  if (row.to_id === null || (from !== undefined && row.from_id === null))
    throw problem('not-found', 'The article has no revision with this id.');
  requireRevisionReadable(problem, { ...row, revision_published_at: row.to_published_at }, caller);
  if (row.from_id === null) return;
  requireRevisionReadable(
    problem,
    { ...row, revision_published_at: row.from_published_at },
    caller,
  );
}

/** Returns the ids of the compared revisions that were never published. */
function unpublishedOf(row: ComparedRow): readonly string[] {
  const { to_id: to, from_id: from } = row;
  return [
    ...(to !== null && row.to_published_at === null ? [to] : []),
    ...(from !== null && row.from_published_at === null ? [from] : []),
  ];
}

/** The texts are compared before the response is built. */
export const readDiff = implement(
  operations.readDiff,
  async ({ db, caller, problem, diffLines }, { params, query }) => {
    const reads = caller?.scopes.includes('articles:read') === true;
    const row = await findCompared(db, {
      bucket: bucketOf(params.id),
      id: params.id,
      from: query.from ?? null,
      to: query.to ?? null,
      allFor: reads ? caller.id : null,
      all: caller?.scopes.includes('admin:moderate') === true,
    });
    requireReadable(problem, row, caller);
    requireBoth(problem, row, query, caller);
    const hunks = await diffLines({
      from: row.from_content ?? '',
      to: row.to_content ?? '',
      pair: `${row.from_id} ${row.to_id}`,
    });
    return { row, hunks };
  },
)(async ({ caller }, _input, { row, hunks }) => ({
  status: 200,
  body: diffView(row, hunks),
  ...auditedRead(caller, [row], unpublishedOf(row)),
  shared: row.status === 'published' && row.visibility === 'public',
}));
