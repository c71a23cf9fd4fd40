// The subscribers to erasures, which write the ledger and delete texts; the ledger is replayed at a start.
import type { Database } from '#database';
import type { Erasure, Ledger } from '#ledger';
import { bucketOf } from '#lib/id';
import { eraseMediaOf } from '#media';
import type { ArticleErased, Log, Subscriber, SubscriberServices } from '#outbox';
import { articlesErased } from '../outbox.ts';
import { deleteFreedContents, listNotErased } from '../queries/index.ts';
import { eraseWorks } from '../service/erase-works.ts';

/** Deletes the contents that exceeded the bounds of the erasure's transaction, in short transactions. */
async function freeContents(db: Database, works: { bucket: number; ids: string[] }): Promise<void> {
  let freed: number;
  do freed = await db.transaction((tx) => deleteFreedContents(tx, works));
  while (freed > 0);
}

/** Returns the subscribers to erasures, which are stored in this ledger. */
export function erasureSubscribers(ledger: Ledger): readonly Subscriber[] {
  const onErased: readonly Subscriber<ArticleErased>[] = [
    {
      type: 'article.erased',
      name: 'freeContents',
      priority: 'urgent',
      run: ({ bucket, payload }, { db }) => freeContents(db, { bucket, ids: [payload.article_id] }),
    },
    {
      type: 'article.erased',
      name: 'eraseMedia',
      run: async ({ bucket, payload }, { db, now }) => {
        const { article_id: articleId, author_id: authorId, media_ids: mediaIds } = payload;
        if (mediaIds.length === 0) return;
        await db.transaction((tx) =>
          eraseMediaOf(tx, { bucket, articleId, authorId, mediaIds }, now()),
        );
      },
    },
    {
      type: 'article.erased',
      name: 'keepInLedger',
      run: ({ payload, created_at }) =>
        ledger.append({ article_id: payload.article_id, erased_at: created_at }),
    },
  ];
  return onErased as readonly Subscriber[];
}

/** Ids per statement. */
const batchSize = 1_000;

async function eraseAgain(db: Database, ids: readonly string[], now: Date): Promise<number> {
  const left = await listNotErased(db, ids);
  for (const [bucket, own] of Map.groupBy(left, bucketOf)) {
    await db.transaction(async (tx) =>
      articlesErased(tx, bucket, await eraseWorks(tx, bucket, own, now), now),
    );
  }
  return left.length;
}

async function* batches(erasures: AsyncIterable<Erasure>): AsyncGenerator<readonly string[]> {
  let ids = new Set<string>();
  for await (const { article_id } of erasures) {
    ids.add(article_id);
    if (ids.size < batchSize) continue;
    yield [...ids];
    ids = new Set();
  }
  if (ids.size > 0) yield [...ids];
}

/**
 * Erases every article that the ledger names and the database still contains, because it was restored from a
 * backup older than the erasure. Must run before any read is served. Returns how many articles it erased.
 */
export async function applyLedger(
  { db, log, now }: Pick<SubscriberServices, 'db' | 'now'> & { readonly log: Log },
  ledger: Ledger,
): Promise<number> {
  let erased = 0;
  const onBroken = (line: number) =>
    log.warn(
      { path: ledger.path, line },
      'A line of the erasure ledger cannot be read; it is skipped.',
    );
  for await (const ids of batches(ledger.read(onBroken)))
    erased += await eraseAgain(db, ids, now());
  if (erased > 0)
    log.warn({ erased }, 'Repeated erasures of the ledger that the database did not contain.');
  return erased;
}
