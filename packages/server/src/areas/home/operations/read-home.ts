// GET /v1/home: the caller's record, events, drafts, quotas, and new articles from followed accounts.
import { newestDrafts, newestOf } from '#articles';
import { limits, operations } from '@colophon/contract';
import type { Config } from '#config';
import type { Db } from '#database';
import { implement, pageOf } from '#http';
import type { Caller } from '#http';
import { allowancesOf, ownRecord } from '#identity';
import { eventView, listEvents, listNewestEvents } from '#event-log';
import { listLastFollowed } from '../queries.ts';

interface Reading {
  readonly db: Db;
  readonly config: Config;
  readonly caller: Caller;
}

async function fromFollowed(reading: Reading) {
  const { db, caller } = reading;
  const authors = await listLastFollowed(db, caller, limits.home_followed_max);
  return newestOf(reading, authors, limits.home_items_max);
}

/** Returns the events after the last one received; the newest ones if none was given. */
function unreadEvents(db: Db, { id }: Caller, since: string | undefined) {
  const limit = limits.home_items_max;
  if (since === undefined) return listNewestEvents(db, id, limit);
  return listEvents(db, { recipientId: id, since, limit });
}

export const readHome = implement(operations.readHome)(async (
  { db, caller, problem, config, now },
  { query },
) => {
  const reading = { db, config, caller };
  const mayReadDrafts = caller.scopes.includes('articles:read');
  const [principal, events, allowances, drafts, followed] = await Promise.all([
    ownRecord(db, caller),
    unreadEvents(db, caller, query.since),
    allowancesOf(db, config, caller, now),
    mayReadDrafts ? newestDrafts(reading, limits.home_items_max) : undefined,
    fromFollowed(reading),
  ]);
  if (principal === undefined || allowances === undefined)
    throw problem('unauthenticated', 'This account no longer exists.');
  return {
    status: 200,
    body: {
      principal,
      events: pageOf(events, limits.home_items_max, { view: eventView, cursor: (row) => row.id }),
      ...(drafts === undefined ? {} : { drafts }),
      quotas: allowances.quotas,
      from_followed: followed,
    },
  };
});
