// Statements on the names in the store to which rows refer.
import { sql } from '#database';
import type { Db } from '#database';

interface Named {
  readonly name: string;
}

/** The names to which rows of the bucket refer: media, and images of discovery in the same store. */
const namesInUse = (bucket: number) => sql`
    select b.bucket, b.name, b.created_at as stored_at
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
    where bucket = ${bucket} and stored_at < ${before.toISOString()}`);
  return rows.map(({ name }) => name);
}
