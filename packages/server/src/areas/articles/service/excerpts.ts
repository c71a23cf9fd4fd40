// The rebuild of stored excerpts after a version that makes them differently.
import type { Database, Db } from '#database';
import { excerpt } from '#lib/excerpt';
import { countContents, findContent, listContentsAfter, setExcerpt } from '../queries/index.ts';
import type { ContentKey } from '../queries/index.ts';

/** The row key of a content from one string: bucket and hash. */
function keyOf(id: string): ContentKey {
  const [bucket = '', hash = ''] = id.split(' ');
  return id === '' ? { bucket: -1, hash: '' } : { bucket: Number(bucket), hash };
}

async function rebuildExcerpt(id: string, db: Database): Promise<void> {
  const key = keyOf(id);
  const stored = await findContent(db, key);
  if (stored === undefined) return;
  const fresh = excerpt(stored.content);
  if (fresh !== stored.excerpt) await db.transaction(async (tx) => void setExcerpt(tx, key, fresh));
}

/** The source of a rebuild of all excerpts. A new text gets its excerpt when it is stored. */
export const excerpts = {
  count: countContents,
  next: async (db: Db, after: string, limit: number): Promise<readonly string[]> => {
    const keys = await listContentsAfter(db, keyOf(after), limit);
    return keys.map(({ bucket, hash }) => `${bucket} ${hash}`);
  },
  rebuild: rebuildExcerpt,
};
