// The subscribers to erasures, which delete texts; the ledger is completed by a job and repeated at a start.
import type { Database } from '#database';
import type { Ledger } from '#ledger';
import { bucketOf } from '#lib/id';
import { eraseMediaOf } from '#media';
import type { ArticleErased, Recurring, Subscriber, SubscriberServices } from '#outbox';
import {
  deleteFreedContents,
  deletePendingErasures,
  insertPendingErasures,
  listNotErased,
  listPendingErasures,
} from '../queries/index.ts';
import { eraseWorks, recordErasures } from '../service/erasing.ts';

/** Deletes the contents that exceeded the bounds of the erasure's transaction, in short transactions. */
async function freeContents(db: Database, works: { bucket: number; ids: string[] }): Promise<void> {
  let freed: number;
  do freed = await db.transaction((tx) => deleteFreedContents(tx, works));
  while (freed > 0);
}

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
    run: async ({ bucket, payload, created_at }, { db }) => {
      if (payload.is_pending) return;
      const works = { bucket, ids: [payload.article_id] };
      await db.transaction((tx) => insertPendingErasures(tx, works, new Date(created_at)));
    },
  },
];

export const erasureSubscribers = onErased as readonly Subscriber[];

/** How long the request of an erasure has to write the ledger itself. */
const requestMs = 60_000;
/** Erasures that one step of the job completes. */
const recordedAtOnce = 1_000;

async function completeLedger(
  ledger: Ledger,
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
): Promise<void> {
  const before = new Date(now().getTime() - requestMs);
  for (let left = true; left;) {
    const pending = await listPendingErasures(db, before, recordedAtOnce);
    left = pending.length === recordedAtOnce;
    if (pending.length === 0) return;
    const unrecorded = pending.filter(({ recorded }) => !recorded);
    for (const erasures of Map.groupBy(unrecorded, ({ bucket }) => bucket).values())
      await recordErasures({ db, ledger }, erasures, now());
    await ledger.copy();
    for (const [bucket, own] of Map.groupBy(pending, (one) => one.bucket)) {
      const ids = own.map(({ article_id }) => article_id);
      await db.transaction((tx) => deletePendingErasures(tx, { bucket, ids }));
    }
  }
}

/**
 * Returns the job that records erasures whose request was interrupted and those of closed accounts, and copies
 * the ledger to BACKUP_TO.
 */
export function recordingErasures(ledger: Ledger): Recurring {
  return {
    name: 'recordErasures',
    everyMinutes: 1,
    run: (services) => completeLedger(ledger, services),
  };
}

/**
 * Erases those of these articles, which the ledger names with the time of the erasure, that the database still
 * contains, because it was restored from a backup older than the erasure. Returns how many.
 */
export async function eraseAgain(
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
  times: ReadonlyMap<string, Date>,
): Promise<number> {
  const left = await listNotErased(db, [...times.keys()]);
  const startedAt = now();
  for (const [bucket, own] of Map.groupBy(left, bucketOf)) {
    await db.transaction(async (tx) => {
      for (const id of own) {
        const at = times.get(id) ?? startedAt;
        await eraseWorks(tx, { bucket, ids: [id] }, { at, now: startedAt });
      }
    });
  }
  return left.length;
}
