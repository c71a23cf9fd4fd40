// Where reindex stands, kept in the database, so that the next run goes on there.
import { sql } from '#database';
import type { Database, Db } from '#database';

/** The bucket that the rows live in. */
const bucket = 0;

export interface Standing {
  readonly name: string;
  /** The last id that is done. */
  readonly after_id: string;
  readonly done: number;
}

export function readReindex(db: Db, name: string): Promise<Standing | undefined> {
  return db.first(sql<Standing>`
    select name, after_id, done
    from reindex_progress
    where bucket = ${bucket} and name = ${name}`);
}

export async function saveReindex(db: Database, standing: Standing, now: Date): Promise<void> {
  const { name, after_id, done } = standing;
  await db.transaction((tx) =>
    tx.run(sql`
      insert into reindex_progress (bucket, name, after_id, done, updated_at)
      values (${bucket}, ${name}, ${after_id}, ${done}, ${now.toISOString()})
      on conflict on constraint reindex_progress_name_pkey
      do update set after_id = excluded.after_id, done = excluded.done,
        updated_at = excluded.updated_at`),
  );
}

export async function forgetReindex(db: Database, name: string): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      delete from reindex_progress
      where bucket = ${bucket} and name = ${name}`),
  );
}
