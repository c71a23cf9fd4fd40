// Statements on the records of exports.
import type { exportStatuses } from '@colophon/contract';
import { atMost, whenGiven, sql } from '#database';
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
        select 1
        from articles a
        where a.bucket = e.bucket and a.author_id = e.principal_id and a.removed_at >= e.started_at
      )
      or exists (
        select 1
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

export function findExport(db: Db, key: RowKey): Promise<ExportRow | undefined> {
  return db.first(sql<ExportRow>`
    select ${columns}
    from exports e
    join principals p on p.bucket = e.bucket and p.id = e.principal_id
    where e.bucket = ${key.bucket} and e.id = ${key.id}`);
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
      whenGiven(page.before, (id) => sql`e.id < ${id}`),
    ])}
    order by e.id desc
    ${atMost(page.limit + 1)}`);
}

export const noCounts: Counts = {
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
export async function insertExport(tx: Tx, input: NewExport): Promise<number | undefined> {
  const now = input.now.toISOString();
  const row = await tx.first(sql<{ articles_total: number }>`
    insert into exports (
      bucket, id, principal_id, status, stage, articles_total, counts, created_at, started_at,
      stepped_at
    )
    select
      ${input.bucket}::smallint, ${input.id}, ${input.principalId}, 'queued', ${input.stage},
      count(*)::integer, ${JSON.stringify(noCounts)}::json, ${now}::timestamptz, ${now}::timestamptz,
      ${now}::timestamptz
    from articles
    where bucket = ${input.bucket} and author_id = ${input.principalId}
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
