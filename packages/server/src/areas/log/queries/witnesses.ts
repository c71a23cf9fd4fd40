// Statements on the witnesses of this log, and on the logs that this service witnesses.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import { logBucket } from './bucket.ts';

export interface WitnessRow {
  readonly name: string;
  readonly size: number;
  readonly cosigned_at: string | null;
  readonly failure: string | null;
}

export function listWitnesses(db: Db): Promise<readonly WitnessRow[]> {
  return db.rows(sql<WitnessRow>`
    select name, size, cosigned_at, failure
    from log_witnesses
    where bucket = ${logBucket}
    order by name`);
}

/** Stores what an attempt at a witness met. */
export function setWitness(
  tx: Tx,
  { name, size, cosigned_at, failure }: WitnessRow,
): Promise<number> {
  return tx.run(sql`
    insert into log_witnesses (bucket, name, size, cosigned_at, failure)
    values (${logBucket}, ${name}, ${size}, ${cosigned_at}, ${failure})
    on conflict on constraint log_witnesses_name_pkey
    do update set size = excluded.size, failure = excluded.failure,
      cosigned_at = coalesce(excluded.cosigned_at, log_witnesses.cosigned_at)`);
}

export interface WitnessedRow {
  readonly size: number;
  readonly root: string;
  readonly checkpoint: string | null;
}

/** Inserts the row of a log, or locks it if it exists, until the transaction ends: cosignatures come one by one. */
export async function lockWitnessed(
  tx: Tx,
  origin: string,
  emptyRoot: string,
): Promise<WitnessedRow> {
  const row = await tx.first(sql<WitnessedRow>`
    insert into log_witnessed (bucket, origin, size, root)
    values (${logBucket}, ${origin}, 0, ${emptyRoot})
    on conflict on constraint log_witnessed_origin_pkey
    do update set size = log_witnessed.size
    returning size, root, checkpoint`);
  if (row === undefined) throw new Error('The row of a witnessed log is missing.');
  return row;
}

export function setWitnessed(
  tx: Tx,
  origin: string,
  { size, root, checkpoint }: WitnessedRow,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update log_witnessed
    set size = ${size}, root = ${root}, checkpoint = ${checkpoint}, cosigned_at = ${now.toISOString()}
    where bucket = ${logBucket} and origin = ${origin} and size <= ${size}`);
}

/** Returns the newest checkpoint of a log that this service has cosigned. */
export async function findWitnessed(db: Db, origin: string): Promise<string | undefined> {
  const row = await db.first(sql<{ checkpoint: string }>`
    select checkpoint
    from log_witnessed
    where bucket = ${logBucket} and origin = ${origin} and checkpoint is not null`);
  return row?.checkpoint;
}
