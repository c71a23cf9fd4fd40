// The stored progress of rebuilding, from which the next run or another process continues.
import { sql } from '#database';
import type { Database, Db } from '#database';

/** The bucket that contains the rows. */
const bucket = 0;

/** One kind of derived rows, in the version that this code writes. */
export interface Kind {
  readonly name: string;
  readonly version: number;
}

export interface Progress {
  /** The last id that is done. */
  readonly after_id: string;
  readonly done: number;
  /** The approximate number of ids at the start. */
  readonly total: number;
  /** How many of those done failed. */
  readonly failed: number;
}

export interface RebuildState extends Kind {
  /** Whether all its rows were rebuilt by this version or a newer one. */
  readonly made: boolean;
  /** How many rows failed in the last complete run. */
  readonly failed: number;
  /** The progress of this version; undefined if it has not begun or is done. */
  readonly progress: (Progress & { readonly updated_at: string }) | undefined;
}

export function findProgress(db: Db, { name, version }: Kind): Promise<Progress | undefined> {
  return db.first(sql<Progress>`
    select after_id, done, total, failed
    from reindex_progress
    where bucket = ${bucket} and name = ${name} and version = ${version}`);
}

export async function setProgress(
  db: Database,
  { name, version }: Kind,
  { after_id, done, total, failed }: Progress,
  now: Date,
): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      insert into reindex_progress (bucket, name, version, after_id, done, total, failed, updated_at)
      values (
        ${bucket}, ${name}, ${version}, ${after_id}, ${done}, ${total}, ${failed}, ${now.toISOString()}
      )
      on conflict on constraint reindex_progress_name_pkey
      do update set version = excluded.version, after_id = excluded.after_id, done = excluded.done,
        total = excluded.total, failed = excluded.failed, updated_at = excluded.updated_at`),
  );
}

/** Records that the rows of a kind are of this version, unless a newer one has rebuilt them meanwhile. */
export async function setMade(
  db: Database,
  { name, version }: Kind,
  failed: number,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await Promise.all([
      tx.run(sql`
        insert into derived_versions (bucket, name, version, failed, made_at)
        values (${bucket}, ${name}, ${version}, ${failed}, ${now.toISOString()})
        on conflict on constraint derived_versions_name_pkey
        do update set version = excluded.version, failed = excluded.failed, made_at = excluded.made_at
        where derived_versions.version <= excluded.version`),
      tx.run(sql`
        delete from reindex_progress
        where bucket = ${bucket} and name = ${name} and version <= ${version}`),
    ]);
  });
}

/**
 * Records all kinds as rebuilt if the database contains no principals. Otherwise a worker would rebuild
 * later what the pipeline has just written.
 */
export async function markBuiltWhereEmpty(
  db: Database,
  kinds: readonly Kind[],
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const anybody = await tx.first(sql<{ id: string }>`
      -- every bucket: anybody at all
      select id
      from principals
      limit 1`);
    if (anybody !== undefined) return;
    await tx.run(sql`
      insert into derived_versions (bucket, name, version, failed, made_at)
      select ${bucket}::smallint, kind.name, kind.version, 0, ${now.toISOString()}
      from unnest(
        ${kinds.map(({ name }) => name)}::text[], ${kinds.map(({ version }) => version)}::integer[]
      ) as kind (name, version)
      order by kind.name
      on conflict on constraint derived_versions_name_pkey
      do update set version = greatest(derived_versions.version, excluded.version)`);
  });
}

interface Row extends Progress {
  readonly name: string;
  readonly version: number;
  readonly updated_at: string;
}

/** Returns the state of each kind, in the order of `kinds`. */
export async function listRebuildStates(
  db: Db,
  kinds: readonly Kind[],
): Promise<readonly RebuildState[]> {
  // One after the other: nobody waits for them, and at the same time they open two connections.
  const made = await db.rows(sql<Pick<Row, 'name' | 'version' | 'failed'>>`
    select name, version, failed
    from derived_versions
    where bucket = ${bucket}`);
  const begun = await db.rows(sql<Row>`
    select name, version, after_id, done, total, failed, updated_at
    from reindex_progress
    where bucket = ${bucket}`);
  return kinds.map(({ name, version }) => {
    const last = made.find((row) => row.name === name);
    return {
      name,
      version,
      made: last !== undefined && last.version >= version,
      failed: last?.failed ?? 0,
      progress: begun.find((row) => row.name === name && row.version === version),
    };
  });
}
