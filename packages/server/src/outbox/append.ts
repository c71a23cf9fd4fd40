// Appends a message to the outbox, in the transaction of the change that it reports.
import { sql } from '#database';
import type { Statement, Tx } from '#database';
import { newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { Outgoing } from './messages.ts';

/**
 * Returns the insert statement, to run alone or as `with said as (…)` inside a larger statement. `traceparent` is
 * the span that causes the message.
 */
export function appendStatement(
  message: Outgoing,
  now: Date = new Date(),
  traceparent: string | null = null,
): Statement {
  return sql`
    insert into outbox (bucket, id, type, payload, created_at, traceparent)
    values (
      ${message.bucket},
      ${newId(message.bucket, now.getTime())},
      ${message.type},
      ${JSON.stringify(message.payload)},
      ${timestamp(now)},
      ${traceparent}
    )`;
}

const appended = new WeakSet<Tx>();

/** Returns whether the transaction appended a message, so that the relay is woken for it. */
export function hasMessages(tx: Tx): boolean {
  return appended.has(tx);
}

/**
 * Appends one row to the outbox in the caller's transaction. The promise need not be awaited: the statement
 * shares a round trip with the commit, which fails when the insert does.
 */
export function appendMessage(tx: Tx, message: Outgoing, now: Date = new Date()): Promise<number> {
  appended.add(tx);
  return tx.run(appendStatement(message, now, tx.traceparentOf?.(message.type) ?? null));
}

/**
 * Appends the message that no row refers to these names in the media store after this transaction, so that their bytes
 * are deleted. No message for no names.
 */
export function bytesFreed(tx: Tx, bucket: number, names: readonly string[], now: Date): void {
  if (names.length === 0) return;
  void appendMessage(tx, { bucket, type: 'bytes.freed', payload: { names } }, now);
}
