// Statements that read events, and the API's view of an event.
import { atMost, given, justFirst, sql } from '#database';
import type { Db, Statement } from '#database';
import { bucketOf } from '#lib/id';
import type { TargetType } from './append-event.ts';

export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly actor_principal_id: string | null;
  readonly subject_type: TargetType;
  readonly subject_id: string;
  readonly payload: Record<string, unknown>;
  readonly created_at: string;
}

export interface EventPage {
  readonly recipientId: string;
  /** Events after this id, whether or not such an event exists; undefined: from the first. */
  readonly since: string | undefined;
  readonly type?: string | undefined;
  readonly limit: number;
}

const columns = sql`id, type, actor_principal_id, subject_type, subject_id, payload, created_at`;

/** Returns events, oldest first: one more than `limit` if there are more. */
export function listEvents(db: Db, page: EventPage): Promise<readonly EventRow[]> {
  return db.rows(sql<EventRow>`
    select ${columns}
    from events
    ${sql.where([
      sql`bucket = ${bucketOf(page.recipientId)} and principal_id = ${page.recipientId}`,
      sql`id > ${page.since ?? ''}`,
      given(page.type, (type) => sql`type = ${type}`),
    ])}
    order by id
    ${atMost(page.limit + 1)}`);
}

/** Returns the newest events, oldest first. */
export async function listNewestEvents(
  db: Db,
  recipientId: string,
  limit: number,
): Promise<readonly EventRow[]> {
  const rows = await db.rows(sql<EventRow>`
    select ${columns}
    from events
    where bucket = ${bucketOf(recipientId)} and principal_id = ${recipientId}
    order by id desc
    ${justFirst(limit)}`);
  return rows.toReversed();
}

/**
 * The id of the newest event of the principal `found.id`, composed as in `appendEvent`; no row if there is
 * none. A statement that reads the counter therefore knows whether there is any event after a given id.
 */
export function newestIdOfFound(bucket: number): Statement {
  return sql`
    select c.last_time || lpad(upper(to_hex(c.number)), 8, '0') || right(c.principal_id, 8)
    from event_counters c
    where c.bucket = ${bucket} and c.principal_id = found.id and c.number > 0`;
}

/** The payload may contain text written by participants. */
export function eventView(row: EventRow) {
  return { ...row, trust: 'untrusted' as const };
}
