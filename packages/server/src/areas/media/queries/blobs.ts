// Statements on the bytes that records share, and on the variants of images.
import { given, justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { mediaColumns } from './media.ts';
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
 * Sets a pending record to ready and adds a holder to its bytes, in one statement. Returns undefined when the
 * record is no longer pending: of two concurrent uploads one succeeds.
 */
export function setReady(tx: Tx, place: RowKey, blob: NewBlob): Promise<ReadyRow | undefined> {
  const now = blob.now.toISOString();
  return tx.first(sql<ReadyRow>`
    with turned as (
      update media as m
      set status = 'ready', content_type = ${blob.contentType}, byte_size = ${blob.byteSize},
        checksum = ${blob.checksum}, held_checksum = ${blob.checksum}, finalized_at = ${now}
      where m.bucket = ${place.bucket} and m.id = ${place.id} and m.status = 'pending'
      returning m.bucket, ${mediaColumns}
    ), kept as (
      insert into blobs as b (
        bucket, checksum, name, content_type, byte_size, width, height, holders, created_at
      )
      select
        turned.bucket, turned.checksum, ${blob.name}, turned.content_type, turned.byte_size,
        ${blob.size?.width ?? null}::integer, ${blob.size?.height ?? null}::integer, 1, turned.finalized_at
      from turned
      on conflict (bucket, checksum) do update
      set holders = b.holders + 1
      returning b.name, b.decoded
    )
    select ${mediaColumns}, kept.name, kept.decoded
    from turned m
    cross join kept`);
}

/**
 * Sets the name of bytes that the store has lost to that of a new copy. Deletes their variants, which are
 * then rebuilt, and returns the names of these. Returns undefined when another transaction was first or no
 * record uses the bytes.
 */
export async function setBlobName(
  tx: Tx,
  place: { readonly bucket: number; readonly checksum: string },
  { lost, found }: { readonly lost: string; readonly found: string },
): Promise<readonly string[] | undefined> {
  const renamed = await tx.run(sql`
    update blobs
    set name = ${found}, decoded = null
    where bucket = ${place.bucket} and checksum = ${place.checksum} and name = ${lost}`);
  if (renamed === 0) return undefined;
  const variants = await tx.rows(sql<{ readonly name: string }>`
    delete from media_variants
    where bucket = ${place.bucket} and checksum = ${place.checksum}
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
export async function removeMedia(
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
      select b.bucket, b.checksum, gone.count
      from unnest(${checksums}::text[], ${counts}::integer[]) as gone (checksum, count)
      join blobs b on b.bucket = ${bucket} and b.checksum = gone.checksum
      order by b.checksum
      for update of b
    )
    update blobs
    set holders = blobs.holders - let_go.count
    from let_go
    where blobs.bucket = let_go.bucket and blobs.checksum = let_go.checksum`);
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

/** Returns a record with the names of its bytes and of its variant of that width. */
export function findServed(
  db: Db,
  place: RowKey,
  width: number | null,
): Promise<ServedRow | undefined> {
  return db.first(sql<ServedRow>`
    select ${mediaColumns}, b.name, b.decoded, v.name as variant_name, v.byte_size as variant_size
    from media m
    left join blobs b on b.bucket = m.bucket and b.checksum = m.held_checksum
    left join media_variants v
      on v.bucket = b.bucket and v.checksum = b.checksum and v.width = ${width}::integer
    where m.bucket = ${place.bucket} and m.id = ${place.id}`);
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
      given(before, (id) => sql`m.id < ${id}`),
    ])}
    order by m.id desc
    ${justFirst(limit)}`);
}

export interface ImageRow {
  readonly checksum: string;
  readonly name: string;
  readonly decoded: boolean | null;
}

/** Returns the bytes of an image record, if it has any. */
export function findImage(db: Db, place: RowKey): Promise<ImageRow | undefined> {
  return db.first(sql<ImageRow>`
    select b.checksum, b.name, b.decoded
    from media m
    join blobs b on b.bucket = m.bucket and b.checksum = m.held_checksum
    where m.bucket = ${place.bucket} and m.id = ${place.id} and m.kind = 'image'`);
}

export interface NewVariant {
  readonly width: number;
  readonly name: string;
  readonly byteSize: number;
}

/**
 * Stores permanently whether an image could be decoded, with its variants. Returns 0 when that is stored
 * already or the bytes are deleted.
 */
export async function setDecoded(
  tx: Tx,
  place: { readonly bucket: number; readonly checksum: string; readonly name: string },
  variants: readonly NewVariant[],
  now: Date,
): Promise<number> {
  const said = await tx.rows(sql<{ readonly checksum: string }>`
    update blobs
    set decoded = ${variants.length > 0}
    where bucket = ${place.bucket}
      and checksum = ${place.checksum}
      and name = ${place.name}
      and decoded is null
    returning checksum`);
  if (said.length === 0 || variants.length === 0) return said.length;
  void tx.run(sql`
    insert into media_variants (bucket, checksum, width, name, byte_size, created_at)
    select ${place.bucket}, ${place.checksum}, v.width, v.name, v.byte_size, ${now.toISOString()}
    from unnest(
      ${variants.map(({ width }) => width)}::integer[],
      ${variants.map(({ name }) => name)}::text[],
      ${variants.map(({ byteSize }) => byteSize)}::bigint[]
    ) as v (width, name, byte_size)`);
  return said.length;
}

interface Named {
  readonly name: string;
}

/** The names to which rows of the bucket refer: media, and images of discovery in the same store. */
const namesInUse = (bucket: number) => sql`
    select b.bucket, b.name, b.created_at as kept_at
    from blobs b
    where b.bucket = ${bucket}
    union all
    select v.bucket, v.name, v.created_at
    from media_variants v
    where v.bucket = ${bucket}
    union all
    select i.bucket, i.name, i.made_at
    from og_images i
    where i.bucket = ${bucket}`;

/** Returns which of these names rows of the bucket refer to. */
export async function listKnownNames(
  db: Db,
  bucket: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows(sql<Named>`
    select name
    from (${namesInUse(bucket)}) as used
    where bucket = ${bucket} and name = any(${names})`);
  return new Set(rows.map(({ name }) => name));
}

/** Returns the names to which rows of the bucket have referred since before that time. */
export async function listOldNames(
  db: Db,
  bucket: number,
  before: Date,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<Named>`
    select name
    from (${namesInUse(bucket)}) as used
    where bucket = ${bucket} and kept_at < ${before.toISOString()}`);
  return rows.map(({ name }) => name);
}
