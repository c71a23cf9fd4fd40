// Takes messages from the outbox, for the relay.
import { keysTable, sql } from '#database';
import type { RowKey } from '#lib/id';
import type { Ask } from './dedicated-connection.ts';

/** The maximum number of messages that are taken at once. */
export const batchSize = 500;

/** A message as it was in the outbox. */
export interface Taken extends RowKey {
  readonly type: string;
  readonly payload: unknown;
  readonly created_at: Date;
  /** Of the request that appended it, where it is traced (W3C Trace Context). */
  readonly traceparent: string | null;
}

/**
 * Takes committed rows whatever their ids: ids are not in commit order, so a cursor would miss a row that
 * commits late. Messages without a subscriber in this version stay for a newer process.
 */
export function takeBatch(ask: Ask, types: readonly string[]): Promise<readonly Taken[]> {
  return ask(sql<Taken>`
    -- every bucket: messages of all of them are waiting
    with batch as materialized (
      select bucket, id
      from outbox
      where type = any(${types})
      order by id
      limit ${batchSize}
    )
    delete from outbox
    using batch
    where outbox.bucket = batch.bucket
      and outbox.id = batch.id
    returning outbox.bucket, outbox.id, outbox.type, outbox.payload, outbox.created_at,
      outbox.traceparent`);
}

/** Lists the same messages where the rows are on several servers: all of them are asked. */
export function listFromServers(ask: Ask, types: readonly string[]): Promise<readonly Taken[]> {
  return ask(sql<Taken>`
    -- every bucket: messages of all of them are waiting
    select bucket, id, type, payload, created_at, traceparent
    from outbox
    where type = any(${types})
    order by id
    limit ${batchSize}`);
}

/** Deletes messages on the servers that have some. */
export async function deleteFromServers(ask: Ask, taken: readonly Taken[]): Promise<void> {
  await ask(sql`
    delete from outbox
    using ${keysTable(taken)}
    where outbox.bucket = named.bucket
      and outbox.id = named.id`);
}
