// Statements that end exports or start them again, and that find those to end.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { noCounts } from './exports.ts';
import type { Status } from './exports.ts';

/** Deletes an export and its parts, and returns the names in the store that no row refers to any more. */
export async function deleteExportRow(tx: Tx, key: RowKey): Promise<readonly string[]> {
  // The lock comes first: a step that commits meanwhile would insert parts that are not deleted.
  const [, names] = await Promise.all([
    lockExport(tx, key),
    deleteParts(tx, key),
    tx.run(sql`
      delete from exports
      where bucket = ${key.bucket} and id = ${key.id}`),
  ]);
  return names;
}

/** Deletes the parts of an export and returns their names in the store. */
export async function deleteParts(
  tx: Tx,
  key: RowKey,
  kinds: readonly string[] = ['archive', 'directory', 'checksums', 'listing'],
): Promise<readonly string[]> {
  const rows = await tx.rows(sql<{ name: string | null }>`
    delete from export_parts
    where bucket = ${key.bucket} and export_id = ${key.id} and kind = any(${kinds})
    returning name`);
  return rows.flatMap(({ name }) => name ?? []);
}

/** What decides how an export is ended. */
export interface ExportState {
  readonly status: Status;
  /** Each step and each restart adds one. */
  readonly steps: number;
  readonly restarts: number;
}

/** Locks an export, so that no step commits meanwhile; undefined when it does not exist. */
export function lockExport(tx: Tx, key: RowKey): Promise<ExportState | undefined> {
  return tx.first(sql<ExportState>`
    select status, steps, restarts
    from exports
    where bucket = ${key.bucket} and id = ${key.id}
    for update`);
}

/** Ends an export without an archive. */
export function setEnded(
  tx: Tx,
  key: RowKey,
  end: { readonly status: 'failed' | 'expired'; readonly reason: string; readonly now: Date },
): Promise<number> {
  return tx.run(sql`
    update exports
    set status = ${end.status}, reason = ${end.reason},
      finished_at = coalesce(finished_at, ${end.now.toISOString()}::timestamptz),
      expires_at = coalesce(expires_at, ${end.now.toISOString()}::timestamptz)
    where bucket = ${key.bucket} and id = ${key.id}`);
}

/** Starts an unfinished export again from its first step. */
export function setRestarted(tx: Tx, key: RowKey, stage: string, now: Date): Promise<number> {
  return tx.run(sql`
    update exports
    set status = 'queued', stage = ${stage}, position = '', steps = steps + 1,
      restarts = restarts + (status = 'running')::integer, counts = ${JSON.stringify(noCounts)}::json, entries = 0,
      byte_size = 0, directory_size = 0, tombstones = 0, started_at = ${now.toISOString()},
      stepped_at = ${now.toISOString()},
      articles_total = (
        select count(*)::integer
        from articles a
        where a.bucket = ${key.bucket} and a.author_id = exports.principal_id
      )
    where bucket = ${key.bucket} and id = ${key.id}`);
}

/** Lists the exports of a principal that began before a time and have an archive or are being built. */
export async function listUnended(
  db: Db,
  principal: RowKey,
  before: Date,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select id
    from exports
    where bucket = ${principal.bucket}
      and principal_id = ${principal.id}
      and status in ('queued', 'running', 'ready')
      and started_at <= ${before.toISOString()}
    order by id`);
  return rows.map(({ id }) => id);
}

/** Lists all exports of a principal and of its agents. */
export async function listAllExports(db: Db, principal: RowKey): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select e.id
    from principals p
    join exports e on e.bucket = p.bucket and e.principal_id = p.id
    where p.bucket = ${principal.bucket} and ${principal.id} in (p.id, p.owner_principal_id)
    order by e.id`);
  return rows.map(({ id }) => id);
}

export type Overdue = RowKey & Pick<ExportState, 'status' | 'steps'>;

/** Lists exports whose archive has expired, those that made no step for long, and records to forget. */
export function listOverdue(
  db: Db,
  {
    now,
    stuckSince,
    forgottenSince,
  }: Readonly<Record<'now' | 'stuckSince' | 'forgottenSince', Date>>,
  limit: number,
): Promise<readonly Overdue[]> {
  return db.rows(sql<Overdue>`
    -- every bucket: swept by age
    (
      select bucket, id, status, steps
      from exports
      where expires_at < ${now.toISOString()}
        and (status = 'ready' or expires_at < ${forgottenSince.toISOString()})
      limit ${limit}
    )
    union all
    (
      select bucket, id, status, steps
      from exports
      where status in ('queued', 'running') and stepped_at < ${stuckSince.toISOString()}
      limit ${limit}
    )
    order by id`);
}
