// Statements on the records of exports.
import type { exportStatuses } from '@colophon/contract';
import { atMost, given, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export type Status = (typeof exportStatuses)[number];

export interface Counts {
  readonly articles: number;
  readonly revisions: number;
  readonly comments: number;
  readonly edges: number;
  readonly follows: number;
  readonly media: number;
  readonly keys: number;
}

export interface ExportRow {
  readonly id: string;
  readonly principal_id: string;
  readonly username: string;
  readonly owner_principal_id: string | null;
  readonly status: Status;
  /** Something that the archive may contain was removed after the export began. */
  readonly stale: boolean;
  readonly articles_total: number;
  readonly counts: Counts;
  readonly byte_size: number;
  readonly checksums_sha256: string | null;
  readonly reason: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly expires_at: string | null;
}

/**
 * Whether something was removed since `exports e` began. Look-ups in partial indexes. The number of removed
 * articles and files is compared too: a removal is dated before its transaction, in which the export may have read
 * the text.
 */
const stale = sql`(
      e.tombstones <> (
        select count(*)
        from articles a
        where a.bucket = e.bucket and a.author_id = e.principal_id and a.removed_at is not null
      ) + (
        select count(*)
        from media m
        where m.bucket = e.bucket
          and m.owner_principal_id = e.principal_id
          and m.removed_at is not null
      )
      or exists (
        select
        from articles a
        where a.bucket = e.bucket and a.author_id = e.principal_id and a.removed_at >= e.started_at
      )
      or exists (
        select
        from media m
        where m.bucket = e.bucket
          and m.owner_principal_id = e.principal_id
          and m.removed_at >= e.started_at
      )
    )`;

const columns = sql`
    e.id, e.principal_id, p.username, p.owner_principal_id, e.status, ${stale} as stale,
    e.articles_total, e.counts, e.byte_size, e.checksums_sha256, e.reason, e.created_at,
    e.finished_at, e.expires_at`;

export function findExport(db: Db, place: RowKey): Promise<ExportRow | undefined> {
  return db.first(sql<ExportRow>`
    select ${columns}
    from exports e
    join principals p on p.bucket = e.bucket and p.id = e.principal_id
    where e.bucket = ${place.bucket} and e.id = ${place.id}`);
}

export interface ExportPage {
  readonly before: string | undefined;
  readonly limit: number;
  /** Whether to include those of agents of the caller. */
  readonly agentsToo: boolean;
}

/** Returns the exports of a principal, newest first. */
export function listOwnExports(
  db: Db,
  caller: RowKey,
  page: ExportPage,
): Promise<readonly ExportRow[]> {
  return db.rows(sql<ExportRow>`
    select ${columns}
    from principals p
    join exports e on e.bucket = p.bucket and e.principal_id = p.id
    ${sql.where([
      sql`p.bucket = ${caller.bucket}`,
      page.agentsToo
        ? sql`(p.id = ${caller.id} or p.owner_principal_id = ${caller.id})`
        : sql`p.id = ${caller.id}`,
      given(page.before, (id) => sql`e.id < ${id}`),
    ])}
    order by e.id desc
    ${atMost(page.limit + 1)}`);
}

const noCounts: Counts = {
  articles: 0,
  revisions: 0,
  comments: 0,
  edges: 0,
  follows: 0,
  media: 0,
  keys: 0,
};

export interface NewExport extends RowKey {
  readonly principalId: string;
  readonly stage: string;
  readonly now: Date;
}

/**
 * Inserts an export and returns the number of articles; undefined while another one of the principal is queued or
 * running.
 */
export async function insertExport(tx: Tx, wish: NewExport): Promise<number | undefined> {
  const now = wish.now.toISOString();
  const row = await tx.first(sql<{ articles_total: number }>`
    insert into exports (
      bucket, id, principal_id, status, stage, articles_total, counts, created_at, started_at,
      stepped_at
    )
    select
      ${wish.bucket}::smallint, ${wish.id}, ${wish.principalId}, 'queued', ${wish.stage},
      count(*)::integer, ${JSON.stringify(noCounts)}::json, ${now}::timestamptz, ${now}::timestamptz,
      ${now}::timestamptz
    from articles
    where bucket = ${wish.bucket} and author_id = ${wish.principalId}
    on conflict (bucket, principal_id) where status in ('queued', 'running') do nothing
    returning articles_total`);
  return row?.articles_total;
}

/** Returns the id of the export of a principal that is queued or running. */
export async function findUnfinished(db: Db, principal: RowKey): Promise<string | undefined> {
  const row = await db.first(sql<{ id: string }>`
    select id
    from exports
    where bucket = ${principal.bucket}
      and principal_id = ${principal.id}
      and status in ('queued', 'running')`);
  return row?.id;
}

/** Deletes an export and its parts, and returns the names in the store that no row refers to any more. */
export async function deleteExportRow(tx: Tx, place: RowKey): Promise<readonly string[]> {
  // The lock comes first: a step that commits meanwhile would insert parts that are not deleted.
  const [, names] = await Promise.all([
    lockExport(tx, place),
    deleteParts(tx, place),
    tx.run(sql`
      delete from exports
      where bucket = ${place.bucket} and id = ${place.id}`),
  ]);
  return names;
}

/** Deletes the parts of an export and returns their names in the store. */
export async function deleteParts(
  tx: Tx,
  place: RowKey,
  kinds: readonly string[] = ['archive', 'directory', 'checksums', 'listing'],
): Promise<readonly string[]> {
  const rows = await tx.rows(sql<{ name: string | null }>`
    delete from export_parts
    where bucket = ${place.bucket} and export_id = ${place.id} and kind = any(${kinds})
    returning name`);
  return rows.flatMap(({ name }) => name ?? []);
}

/** What decides how an export is ended. */
export interface Standing {
  readonly status: Status;
  /** Each step and each restart adds one. */
  readonly steps: number;
  readonly restarts: number;
}

/** Locks an export, so that no step commits meanwhile; undefined when it does not exist. */
export function lockExport(tx: Tx, place: RowKey): Promise<Standing | undefined> {
  return tx.first(sql<Standing>`
    select status, steps, restarts
    from exports
    where bucket = ${place.bucket} and id = ${place.id}
    for update`);
}

/** Ends an export without an archive. */
export function setEnded(
  tx: Tx,
  place: RowKey,
  end: { readonly status: 'failed' | 'expired'; readonly reason: string; readonly now: Date },
): Promise<number> {
  return tx.run(sql`
    update exports
    set status = ${end.status}, reason = ${end.reason},
      finished_at = coalesce(finished_at, ${end.now.toISOString()}::timestamptz),
      expires_at = coalesce(expires_at, ${end.now.toISOString()}::timestamptz)
    where bucket = ${place.bucket} and id = ${place.id}`);
}

/** Starts an unfinished export again from its first step. */
export function setRestarted(tx: Tx, place: RowKey, stage: string, now: Date): Promise<number> {
  return tx.run(sql`
    update exports
    set status = 'queued', stage = ${stage}, position = '', steps = steps + 1,
      restarts = restarts + (status = 'running')::integer, counts = ${JSON.stringify(noCounts)}::json, entries = 0,
      byte_size = 0, directory_size = 0, tombstones = 0, started_at = ${now.toISOString()},
      stepped_at = ${now.toISOString()},
      articles_total = (
        select count(*)::integer
        from articles a
        where a.bucket = exports.bucket and a.author_id = exports.principal_id
      )
    where bucket = ${place.bucket} and id = ${place.id}`);
}

/** Lists the exports of a principal that began before a time and have an archive or are being built. */
export async function listStanding(
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

export type Overdue = RowKey & Pick<Standing, 'status' | 'steps'>;

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
