// Statements on images and their variants.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface ImageRow {
  readonly checksum: string;
  readonly name: string;
  readonly decoded: boolean | null;
}

/** Returns the bytes of an image record, if it has any. */
export function findImage(db: Db, key: RowKey): Promise<ImageRow | undefined> {
  return db.first(sql<ImageRow>`
    select b.checksum, b.name, b.decoded
    from media m
    join blobs b on b.bucket = m.bucket and b.checksum = m.held_checksum
    where m.bucket = ${key.bucket} and m.id = ${key.id} and m.kind = 'image'`);
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
  key: { readonly bucket: number; readonly checksum: string; readonly name: string },
  variants: readonly NewVariant[],
  now: Date,
): Promise<number> {
  const said = await tx.rows(sql<{ readonly checksum: string }>`
    update blobs
    set decoded = ${variants.length > 0}
    where bucket = ${key.bucket}
      and checksum = ${key.checksum}
      and name = ${key.name}
      and decoded is null
    returning checksum`);
  if (said.length === 0 || variants.length === 0) return said.length;
  void tx.run(sql`
    insert into media_variants (bucket, checksum, width, name, byte_size, created_at)
    select ${key.bucket}, ${key.checksum}, v.width, v.name, v.byte_size, ${now.toISOString()}
    from unnest(
      ${variants.map(({ width }) => width)}::integer[],
      ${variants.map(({ name }) => name)}::text[],
      ${variants.map(({ byteSize }) => byteSize)}::bigint[]
    ) as v (width, name, byte_size)`);
  return said.length;
}
