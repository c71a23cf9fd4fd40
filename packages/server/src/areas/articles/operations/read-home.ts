// GET /v1/home: who comes back, what they left undone, and what is new from those they follow.
import { limits, operations } from '@colophon/contract';
import type { Db } from '#database';
import { implement } from '#http';
import type { Caller } from '#http';
import { allowancesOf, ownRecord } from '#identity';
import { listLastFollowed, listNewestDrafts, listNewestOf } from '../queries/index.ts';
import { articleSummaryView } from '../views.ts';

async function fromFollowed(db: Db, caller: Caller) {
  const authors = await listLastFollowed(db, caller, limits.home_followed_max);
  return authors.length === 0 ? [] : listNewestOf(db, authors, limits.home_items_max);
}

export const readHome = implement(operations.readHome)(async ({
  db,
  caller,
  problem,
  config,
  now,
}) => {
  const mayReadDrafts = caller.scopes.includes('articles:read');
  const [principal, allowances, drafts, followed] = await Promise.all([
    ownRecord(db, caller),
    allowancesOf(db, config, { bucket: caller.bucket, id: caller.id, now }),
    mayReadDrafts ? listNewestDrafts(db, caller, limits.home_items_max) : undefined,
    fromFollowed(db, caller),
  ]);
  if (principal === undefined || allowances === undefined)
    throw problem('unauthenticated', 'This account does not exist any more.');
  const summaries = (rows: typeof followed) =>
    rows.map((row) => articleSummaryView(row, config, caller));
  return {
    status: 200,
    body: {
      principal,
      ...(drafts === undefined ? {} : { drafts: summaries(drafts) }),
      quotas: allowances.quotas,
      from_followed: summaries(followed),
    },
  };
});
