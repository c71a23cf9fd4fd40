// Statements that read events, and the API's view of an event.
import { atMost, whenGiven, justFirst, sql } from '#database';
import type { Db, KeyMember, Statement, Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import type { EventType, TargetType } from './append-event.ts';

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
      whenGiven(page.type, (type) => sql`type = ${type}`),
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

/** The id of the newest event of a counter, composed as in `appendEvent`. */
const newestId = sql`c.last_time || lpad(upper(to_hex(c.number)), 8, '0') || right(c.principal_id, 8)`;

/**
 * The id of the newest event of the principal `found.id`; no row if there is
 * none. A statement that reads the counter therefore knows whether there is any event after a given id.
 */
export function newestIdOfFound(bucket: KeyMember): Statement {
  return sql`
    select ${newestId}
    from event_counters c
    where c.bucket = ${bucket} and c.principal_id = found.id and c.number > 0`;
}

/** An event, and whether its recipient has not marked it as read. */
export interface NotificationRow extends EventRow {
  readonly unread: boolean;
}

export interface NotificationPage {
  /** Events before this id, whether or not such an event exists; undefined: from the newest. */
  readonly before: string | undefined;
  /** Only events of these types; undefined: of all. */
  readonly types: readonly EventType[] | undefined;
  readonly limit: number;
}

/**
 * The ids of the newest events of some types: the newest of each type from the index by types, then the newest of
 * those. In the index by time, the few events of a rare type lie behind all others.
 */
function newestOfTypes(recipient: RowKey, types: readonly EventType[], page: NotificationPage) {
  return sql`(
      select newest.id
      from unnest(${types}::text[]) as wanted (type)
      cross join lateral (
        select n.id
        from events n
        ${sql.where([
          sql`n.bucket = ${recipient.bucket} and n.principal_id = ${recipient.id} and n.type = wanted.type`,
          whenGiven(page.before, (id) => sql`n.id < ${id}`),
        ])}
        order by n.id desc
        ${atMost(page.limit + 1)}
      ) as newest
      order by newest.id desc
      ${atMost(page.limit + 1)}
    )`;
}

/** Returns events, newest first: one more than `limit` if there are more. */
export function listNotifications(
  db: Db,
  recipient: RowKey,
  page: NotificationPage,
): Promise<readonly NotificationRow[]> {
  return db.rows(sql<NotificationRow>`
    select
      e.id, e.type, e.actor_principal_id, e.subject_type, e.subject_id, e.payload, e.created_at,
      e.number > c.read_number as unread
    from events e
    join event_counters c on c.bucket = e.bucket and c.principal_id = e.principal_id
    ${sql.where([
      sql`e.bucket = ${recipient.bucket} and e.principal_id = ${recipient.id}`,
      whenGiven(page.before, (id) => sql`e.id < ${id}`),
      whenGiven(
        page.types,
        (types) => sql`e.id = any (array${newestOfTypes(recipient, types, page)})`,
      ),
    ])}
    order by e.id desc
    ${atMost(page.limit + 1)}`);
}

/** Marks an event of a recipient and all before it as read; 0 if there is no such event or it was read. */
export function setEventsRead(tx: Tx, recipient: RowKey, eventId: string): Promise<number> {
  return tx.run(sql`
    update event_counters c
    set read_number = e.number
    from events e
    where e.bucket = ${recipient.bucket}
      and e.principal_id = ${recipient.id}
      and e.id = ${eventId}
      and c.bucket = e.bucket
      and c.principal_id = e.principal_id
      and c.read_number < e.number`);
}

/**
 * The number of events that the principal `found.id` has not marked as read, a space, and the id of the newest
 * one; no row if there is no event.
 */
export function unreadOfFound(bucket: KeyMember): Statement {
  return sql`
    select (c.number - c.read_number) || ' ' || ${newestId}
    from event_counters c
    where c.bucket = ${bucket} and c.principal_id = found.id and c.number > 0`;
}

/** The payload may contain text written by participants. */
export function eventView(row: EventRow) {
  return { ...row, trust: 'untrusted' as const };
}
