// Statements on the steps of exports and on the parts of their archives.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { Counts } from './exports.ts';

export interface BuildingRow extends RowKey {
  readonly principal_id: string;
  readonly username: string;
  readonly kind: 'human' | 'agent';
  readonly owner_principal_id: string | null;
  readonly stage: string;
  readonly position: string;
  readonly steps: number;
  readonly counts: Counts;
  readonly entries: number;
  readonly byte_size: number;
  readonly directory_size: number;
  readonly tombstones: number;
  readonly created_at: string;
}

/** Returns an export that is not finished; undefined when there is nothing to build. */
export function findBuilding(db: Db, key: RowKey): Promise<BuildingRow | undefined> {
  return db.first(sql<BuildingRow>`
    select
      e.bucket, e.id, e.principal_id, p.username, p.kind, p.owner_principal_id, e.stage, e.position,
      e.steps, e.counts, e.entries, e.byte_size, e.directory_size, e.tombstones,
      e.created_at
    from exports e
    join principals p on p.bucket = e.bucket and p.id = e.principal_id
    where e.bucket = ${key.bucket}
      and e.id = ${key.id}
      and e.status in ('queued', 'running')
      and p.status <> 'closed'`);
}

export type PartKind = 'archive' | 'directory' | 'checksums' | 'listing';

/** A piece of an archive: `head`, then a file of the store or of the participant. */
export interface NewPart {
  readonly kind: PartKind;
  readonly start: number;
  readonly byteSize: number;
  readonly head: Buffer | null;
  readonly name: string | null;
  readonly checksum: string | null;
}

export function insertParts(tx: Tx, key: RowKey, parts: readonly NewPart[]): Promise<number> {
  return tx.run(sql`
    insert into export_parts (bucket, export_id, kind, start, byte_size, head, name, checksum)
    select ${key.bucket}::smallint, ${key.id}, part.kind, part.start, part.byte_size, part.head,
      part.name, part.checksum
    from unnest(
      ${parts.map(({ kind }) => kind)}::text[],
      ${parts.map(({ start }) => start)}::bigint[],
      ${parts.map(({ byteSize }) => byteSize)}::bigint[],
      ${parts.map(({ head }) => head)}::bytea[],
      ${parts.map(({ name }) => name)}::text[],
      ${parts.map(({ checksum }) => checksum)}::text[]
    ) as part (kind, start, byte_size, head, name, checksum)`);
}

export interface Progress {
  readonly stage: string;
  readonly position: string;
  readonly counts: Counts;
  readonly entries: number;
  readonly byteSize: number;
  readonly directorySize: number;
  readonly tombstones: number;
  readonly now: Date;
}

/** Moves an export to its next step, unless another run made this step: then 0. */
export function setStepped(
  tx: Tx,
  { bucket, id, steps }: RowKey & { readonly steps: number },
  progress: Progress,
): Promise<number> {
  return tx.run(sql`
    update exports
    set status = 'running', stage = ${progress.stage}, position = ${progress.position},
      steps = ${steps + 1}, counts = ${JSON.stringify(progress.counts)}::json,
      entries = ${progress.entries}, byte_size = ${progress.byteSize},
      directory_size = ${progress.directorySize}, tombstones = ${progress.tombstones},
      stepped_at = ${progress.now.toISOString()}
    where bucket = ${bucket}
      and id = ${id}
      and steps = ${steps}
      and status in ('queued', 'running')`);
}

export interface Finish {
  readonly checksums: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Ends the last step: the directory becomes the end of the archive. */
export function setReady(tx: Tx, key: RowKey, finish: Finish): Promise<number> {
  void tx.run(sql`
    update export_parts
    set kind = 'archive', start = export_parts.start + e.byte_size
    from exports e
    where e.bucket = ${key.bucket}
      and e.id = ${key.id}
      and export_parts.bucket = e.bucket
      and export_parts.export_id = e.id
      and export_parts.kind = 'directory'`);
  return tx.run(sql`
    update exports
    set status = 'ready', byte_size = byte_size + directory_size,
      checksums_sha256 = ${finish.checksums}, finished_at = ${finish.now.toISOString()},
      expires_at = ${finish.expiresAt.toISOString()}
    where bucket = ${key.bucket} and id = ${key.id}`);
}

/** A part with the name of its bytes in the store; null when those of the participant are gone. */
export interface PartRow {
  readonly start: number;
  readonly byte_size: number;
  readonly head: Buffer | null;
  readonly name: string | null;
}

export interface PartSpan {
  readonly kind: PartKind;
  /** Parts that end after this offset, in their order. */
  readonly after: number;
  readonly limit: number;
}

export function listParts(db: Db, key: RowKey, span: PartSpan): Promise<readonly PartRow[]> {
  return db.rows(sql<PartRow>`
    select t.start, t.byte_size, t.head, coalesce(t.name, b.name) as name
    from export_parts t
    left join blobs b on b.bucket = t.bucket and b.checksum = t.checksum
    where t.bucket = ${key.bucket}
      and t.export_id = ${key.id}
      and t.kind = ${span.kind}
      and t.start + t.byte_size > ${span.after}
    order by t.start
    limit ${span.limit}`);
}

/** Returns those of these names to which a part refers. */
export async function listPartNames(
  db: Db,
  bucket: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows(sql<{ name: string }>`
    select name
    from export_parts
    where bucket = ${bucket} and name = any(${names})`);
  return new Set(rows.map(({ name }) => name));
}
