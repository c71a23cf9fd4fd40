// The row that says how the scheduled backups stand.
import { sql } from '#database';
import type { Db, Tx } from '#database';

export interface BackupState {
  readonly tried_at: string;
  readonly failure: string | null;
  readonly name: string | null;
  readonly byte_size: number | null;
  readonly finished_at: string | null;
}

/** Returns the row; undefined if the schedule has not tried yet. */
export function findBackupState(db: Db): Promise<BackupState | undefined> {
  return db.first(sql<BackupState>`
    select tried_at, failure, name, byte_size, finished_at
    from backup_standing
    where bucket = 0`);
}

/** Stores the beginning or the failure of an attempt. The newest backup stays known. */
export function setTried(tx: Tx, triedAt: string, failure: string | null): Promise<number> {
  return tx.run(sql`
    insert into backup_standing (bucket, tried_at, failure)
    values (0, ${triedAt}, ${failure})
    on conflict (bucket) do update
    set tried_at = excluded.tried_at, failure = excluded.failure`);
}

/** Stores a backup that was made. */
export function setMade(
  tx: Tx,
  made: { readonly name: string; readonly size: number; readonly at: string },
): Promise<number> {
  return tx.run(sql`
    insert into backup_standing (bucket, tried_at, failure, name, byte_size, finished_at)
    values (0, ${made.at}, null, ${made.name}, ${made.size}, ${made.at})
    on conflict (bucket) do update
    set failure = null, name = excluded.name, byte_size = excluded.byte_size,
      finished_at = excluded.finished_at`);
}
