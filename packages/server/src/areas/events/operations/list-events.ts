// GET /v1/events: events of the caller or an owned agent after a given event; may wait for new ones.
import { operations } from '@colophon/contract';
import type { Operations, QueryOf } from '@colophon/contract';
import type { Db } from '#database';
import { implement, limitOf, pageOf, requireScope } from '#http';
import type { Caller, Listening, Problems } from '#http';
import { eventView, listEvents as findEvents, newestIdOfFound } from '#event-log';
import type { EventPage, EventRow } from '#event-log';
import { findRecipient } from '../queries.ts';

type Query = QueryOf<Operations['listEvents']>;
type Refuse = Problems<'not-found' | 'forbidden'>;

interface Context {
  readonly db: Db;
  readonly caller: Caller;
  readonly problem: Refuse;
  readonly listen: (topic: string) => Listening;
}

/**
 * Requires the id of the caller or of an agent that the caller owns. @throws insufficient-scope, not-found,
 * forbidden
 */
async function requireOwned(db: Db, caller: Caller, id: string, problem: Refuse): Promise<void> {
  if (id === caller.id) return;
  requireScope(caller, 'agents:read');
  const recipient = await findRecipient(db, id);
  if (recipient === undefined) throw problem('not-found', 'No principal has this id.');
  if (recipient.owner_principal_id !== caller.id)
    throw problem('forbidden', 'You can read your own events and those of agents that you own.');
}

function pageFor(caller: Caller, query: Query): EventPage {
  const { since, type } = query;
  return { recipientId: query.principal_id ?? caller.id, since, type, limit: limitOf(query) };
}

/**
 * Returns whether the statement that found the caller saw that there is nothing after `since`: then no
 * other statement is needed. Not for a poll that waits, which must start to listen before it queries.
 */
function isUpToDate(caller: Caller, { recipientId, since }: EventPage, query: Query): boolean {
  const { id, beside: newestId } = caller;
  if (query.wait || recipientId !== id || newestId === undefined) return false;
  return (newestId ?? '') <= (since ?? '');
}

/** Queries again after each wake-up, until there are events or the time is over. */
async function wait(
  listening: Listening,
  look: () => Promise<readonly EventRow[]>,
  seconds: number,
): Promise<readonly EventRow[]> {
  const deadline = performance.now() + seconds * 1000;
  while (await listening.next(deadline - performance.now())) {
    const rows = await look();
    if (rows.length > 0) return rows;
  }
  return [];
}

async function listOrWait(
  { db, caller, problem, listen }: Context,
  page: EventPage,
  query: Query,
): Promise<readonly EventRow[]> {
  if (isUpToDate(caller, page, query)) return [];
  const look = () => findEvents(db, page);
  // Opened before the first query, so that no event is missed between the two.
  using listening = query.wait ? listen(page.recipientId) : undefined;
  const [rows] = await Promise.all([look(), requireOwned(db, caller, page.recipientId, problem)]);
  if (rows.length > 0 || listening === undefined) return rows;
  return await wait(listening, look, query.wait ?? 0);
}

export const listEvents = implement(operations.listEvents)(
  async (context, { query }) => {
    const page = pageFor(context.caller, query);
    const rows = await listOrWait(context, page, query);
    const view = { view: eventView, cursor: (row: EventRow) => row.id };
    return { status: 200, body: pageOf(rows, page.limit, view) };
  },
  {},
  { beside: newestIdOfFound },
);
