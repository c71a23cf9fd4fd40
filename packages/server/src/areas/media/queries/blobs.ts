// Statements on the bytes that records share.
import { whenGiven, justFirst, readById, readsFor, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { findMedia, mediaColumns } from './media.ts';
import type { MediaRow } from './media.ts';

export interface NewBlob {
  readonly checksum: string;
  readonly name: string;
  readonly contentType: string;
  readonly byteSize: number;
  /** In pixels, for images. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly now: Date;
}

export interface ReadyRow extends MediaRow {
  /**
   * The name of the bytes in the store: differs from the new name when the owner already had the same bytes.
   */
  readonly name: string;
  readonly decoded: boolean | null;
}

/**
 * Sets a pending record to ready and adds a holder to its bytes. Returns undefined when the record is no longer
 * pending: of two concurrent uploads one succeeds. The bytes come first, since the record refers to them; the
 * statements are sent together, and the last one returns what no update may: a date as text depends on settings.
 */
export async function setReady(tx: Tx, key: RowKey, blob: NewBlob): Promise<ReadyRow | undefined> {
  const now = blob.now.toISOString();
  const held = tx.first(sql<Pick<ReadyRow, 'name' | 'decoded'>>`
    with pending as materialized (
      select m.bucket
      from media m
      where m.bucket = ${key.bucket} and m.id = ${key.id} and m.status = 'pending'
      for update
    )
    insert into blobs as b (
      bucket, checksum, name, content_type, byte_size, width, height, holders, created_at
    )
    select
      pending.bucket, ${blob.checksum}, ${blob.name}, ${blob.contentType}, ${blob.byteSize}::bigint,
      ${blob.size?.width ?? null}::integer, ${blob.size?.height ?? null}::integer, 1, ${now}::timestamptz
    from pending
    on conflict (bucket, checksum) do update
    set holders = b.holders + 1
    returning b.name, b.decoded`);
  const updated = tx.run(sql`
    update media
    set status = 'ready', content_type = ${blob.contentType}, byte_size = ${blob.byteSize},
      checksum = ${blob.checksum}, held_checksum = ${blob.checksum}, finalized_at = ${now}
    where bucket = ${key.bucket} and id = ${key.id} and status = 'pending'`);
  const [bytes, , row] = await Promise.all([held, updated, findMedia(tx, key)]);
  return bytes && row && { ...row, ...bytes };
}

/**
 * Sets the name of bytes that the store has lost to that of a new copy. Deletes their variants, which are
 * then rebuilt, and returns the names of these. Returns undefined when another transaction was first or no
 * record uses the bytes.
 */
export async function setBlobName(
  tx: Tx,
  key: { readonly bucket: number; readonly checksum: string },
  { lost, found }: { readonly lost: string; readonly found: string },
): Promise<readonly string[] | undefined> {
  const renamed = await tx.run(sql`
    update blobs
    set name = ${found}, decoded = null
    where bucket = ${key.bucket} and checksum = ${key.checksum} and name = ${lost}`);
  if (renamed === 0) return undefined;
  const variants = await tx.rows(sql<{ readonly name: string }>`
    delete from media_variants
    where bucket = ${key.bucket} and checksum = ${key.checksum}
    returning name`);
  return variants.map(({ name }) => name);
}

export interface LockedMedia {
  readonly id: string;
  readonly held_checksum: string | null;
}

/**
 * Removes locked records and returns the names of bytes that no record uses any more. `erase` also deletes
 * the text that people wrote.
 */
export async function setMediaRemoved(
  tx: Tx,
  bucket: number,
  media: readonly LockedMedia[],
  { now, erase }: { readonly now: Date; readonly erase: boolean },
): Promise<readonly string[]> {
  const ids = media.map(({ id }) => id);
  const held = media.flatMap(({ held_checksum: one }) => (one === null ? [] : [one]));
  // In one order, so that two removals cannot deadlock.
  const checksums = [...new Set(held)].toSorted();
  const counts = checksums.map((checksum) => held.filter((one) => one === checksum).length);
  void tx.run(sql`
    update media
    set status = 'removed', removed_at = coalesce(removed_at, ${now.toISOString()}), held_checksum = null,
      alt_text = case when ${erase} then null else alt_text end,
      generation_metadata = case when ${erase} then null else generation_metadata end
    where bucket = ${bucket} and id = any(${ids})`);
  if (checksums.length === 0) return [];
  void tx.run(sql`
    with let_go as materialized (
      select b.checksum, gone.count
      from unnest(${checksums}::text[], ${counts}::integer[]) as gone (checksum, count)
      join blobs b on b.bucket = ${bucket} and b.checksum = gone.checksum
      order by b.checksum
      for update of b
    )
    update blobs
    set holders = blobs.holders - let_go.count
    from let_go
    where blobs.bucket = ${bucket} and blobs.checksum = let_go.checksum`);
  const [variants, blobs] = await Promise.all([
    tx.rows(sql<{ readonly name: string }>`
      delete from media_variants as v
      using blobs as b
      where v.bucket = ${bucket}
        and v.checksum = any(${checksums})
        and b.bucket = v.bucket
        and b.checksum = v.checksum
        and b.holders = 0
      returning v.name`),
    tx.rows(sql<{ readonly name: string }>`
      delete from blobs
      where bucket = ${bucket} and checksum = any(${checksums}) and holders = 0
      returning name`),
  ]);
  return [...variants, ...blobs].map(({ name }) => name);
}

export interface ServedRow extends MediaRow {
  readonly name: string | null;
  readonly decoded: boolean | null;
  readonly variant_name: string | null;
  readonly variant_size: number | null;
}

/** No variant has it. With null, the planner of a distributed database refuses the join. */
const noWidth = 0;

const servedAt = readsFor((width: number) =>
  readById(
    (bucket, id) => sql<ServedRow>`
    -- never null: the width
    select ${mediaColumns}, b.name, b.decoded, v.name as variant_name, v.byte_size as variant_size
    from media m
    left join blobs b on b.bucket = m.bucket and b.checksum = m.held_checksum
    left join media_variants v
      on v.bucket = b.bucket and v.checksum = b.checksum and v.width = ${width}::integer
    where m.bucket = ${bucket} and m.id = ${id}`,
  ),
);

/** Returns a record with the names of its bytes and of its variant of that width. */
export function findServed(
  db: Db,
  key: RowKey,
  width: number | null,
): Promise<ServedRow | undefined> {
  return db.find(servedAt(width ?? noWidth), key);
}

export interface OriginalRow {
  readonly id: string;
  readonly name: string;
  readonly checksum: string;
  readonly content_type: string;
  readonly byte_size: number;
}

/** Lists the original files of the ready records of an owner, newest first. */
export function listOriginals(
  db: Db,
  owner: RowKey,
  before: string | undefined,
  limit: number,
): Promise<readonly OriginalRow[]> {
  return db.rows(sql<OriginalRow>`
    select m.id, b.name, b.checksum, b.content_type, b.byte_size
    from media m
    join blobs b on b.bucket = m.bucket and b.checksum = m.held_checksum
    ${sql.where([
      sql`m.bucket = ${owner.bucket} and m.owner_principal_id = ${owner.id} and m.status = 'ready'`,
      whenGiven(before, (id) => sql`m.id < ${id}`),
    ])}
    order by m.id desc
    ${justFirst(limit)}`);
}
