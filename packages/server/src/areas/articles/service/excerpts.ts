// The rebuild of the excerpts of articles after an upgrade that makes them differently.
import type { Database } from '#database';
import { excerpt } from '#lib/excerpt';
import type { Rebuilding } from '#reindex';
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

/** A new text gets its excerpt when it is stored. */
export const rebuildingExcerpts: Rebuilding = {
  name: 'excerpts',
  version: 1,
  count: countContents,
  next: async (db, after, limit) => {
    const keys = await listContentsAfter(db, keyOf(after), limit);
    return keys.map(({ bucket, hash }) => `${bucket} ${hash}`);
  },
  // An excerpt is deleted with its text.
  stale: async () => [],
  rebuild: (id, { db }) => rebuildExcerpt(id, db),
};
