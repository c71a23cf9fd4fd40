// Appends events in the transaction of their cause, in an order that depends on no clock and no race.
import type { EventPayloads, EventType, TargetType } from '@colophon/contract';
import { sql } from '#database';
import type { Statement, Tx } from '#database';
import { toCrockford } from '@colophon/text/lib/crockford';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';

export type { EventType, TargetType };

interface EventOf<T extends EventType> {
  readonly recipientId: string;
  readonly type: T;
  /** The principal who caused the event; null: the service itself. */
  readonly actorId: string | null;
  readonly subjectType: TargetType;
  readonly subjectId: string;
  readonly payload: EventPayloads[T];
}

/** An event to write: each type with the payload that the contract gives it. */
export type NewEvent = { [T in EventType]: EventOf<T> }[EventType];

const recipients = new WeakMap<Tx, readonly string[]>();

/**
 * Returns the recipients of a transaction's events and those that `wakeWaiting` names, so that their waiting
 * requests are woken after the commit.
 */
export function recipientsOf(tx: Tx): readonly string[] {
  return recipients.get(tx) ?? [];
}

/**
 * Wakes the waiting requests for events of these principals after the commit, although nothing happened to them:
 * each checks whether its credential is still valid.
 */
export function wakeWaiting(tx: Tx, ids: readonly string[]): void {
  recipients.set(tx, [...new Set([...recipientsOf(tx), ...ids])]);
}

/**
 * Inserts all events of one recipient. An event id consists of the time (10 digits, never earlier than that
 * of the previous event), the number (8 hexadecimal digits, which are also digits of Crockford's base32)
 * and the last 8 characters of the recipient's id, which name the bucket. The statement composes the id
 * because the number is known only while the counter is locked.
 */
function insertEvents(id: string, events: readonly NewEvent[], now: Date): Statement {
  return sql`
    with counter as (
      insert into event_counters as c (bucket, principal_id, number, last_time)
      select p.bucket, p.id, ${events.length}::bigint, ${toCrockford(now.getTime(), 10)}
      from principals p
      where p.bucket = ${bucketOf(id)}
        and p.id = ${id}
        and p.status <> 'closed'
      on conflict on constraint event_counters_principal_id_pkey do update
      set number = c.number + excluded.number,
        last_time = greatest(c.last_time, excluded.last_time)
      where not c.closed
      returning c.bucket, c.principal_id, c.number - ${events.length}::bigint as before, c.last_time
    )
    insert into events (
      bucket, principal_id, id, number, type, actor_principal_id, subject_type, subject_id, payload,
      created_at
    )
    select
      counter.bucket,
      counter.principal_id,
      counter.last_time || lpad(upper(to_hex(counter.before + received.place)), 8, '0') || ${id.slice(18)}::text,
      counter.before + received.place,
      received.type, received.actor_id, received.subject_type, received.subject_id, received.payload::json,
      ${timestamp(now)}
    from counter
    cross join unnest(
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ actorId }) => actorId)}::text[],
      ${events.map(({ subjectType }) => subjectType)}::text[],
      ${events.map(({ subjectId }) => subjectId)}::text[],
      ${events.map(({ payload }) => JSON.stringify(payload))}::text[]
    ) with ordinality as received (type, actor_id, subject_type, subject_id, payload, place)`;
}

/**
 * Appends events in the transaction of their cause. Call it once per transaction, last. Principals are not
 * notified of their own acts, and closed accounts receive nothing. Recipients are locked in sorted order,
 * so that two transactions cannot deadlock. The function does not wait: the statements, one per recipient,
 * are sent with the commit, which fails when one of them fails.
 */
export function appendEvent(tx: Tx, events: readonly NewEvent[], now: Date): void {
  const received = events.filter(({ actorId, recipientId }) => actorId !== recipientId);
  const byRecipient = Map.groupBy(received, ({ recipientId }) => recipientId);
  const ids = [...byRecipient.keys()].toSorted();
  for (const id of ids) void tx.run(insertEvents(id, byRecipient.get(id) ?? [], now));
  wakeWaiting(tx, ids);
}
