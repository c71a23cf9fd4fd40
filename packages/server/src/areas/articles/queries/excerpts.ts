// Statements on the excerpts of contents, which are derived from their texts.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { ContentKey } from './renderings.ts';

/** Lists the keys of contents after the given one, in the order of the primary key. */
export function listContentsAfter(
  db: Db,
  after: ContentKey,
  limit: number,
): Promise<readonly ContentKey[]> {
  return db.rows(sql<ContentKey>`
    -- every bucket: an upgrade goes through all of them, in their order
    select bucket, hash
    from contents
    where (bucket, hash) > (${after.bucket}, ${after.hash})
    order by bucket, hash
    ${justFirst(limit)}`);
}

export async function countContents(db: Db): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: an upgrade goes through all of them
    select count(*) as count
    from contents`);
  return row?.count ?? 0;
}

export function findContent(
  db: Db,
  key: ContentKey,
): Promise<{ readonly content: string; readonly excerpt: string } | undefined> {
  return db.first(sql<{ content: string; excerpt: string }>`
    select content, excerpt
    from contents
    where bucket = ${key.bucket} and hash = ${key.hash}`);
}

export function setExcerpt(tx: Tx, key: ContentKey, excerpt: string): Promise<number> {
  return tx.run(sql`
    update contents
    set excerpt = ${excerpt}
    where bucket = ${key.bucket} and hash = ${key.hash}`);
}
