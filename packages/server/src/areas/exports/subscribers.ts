// Subscribers and recurring jobs of exports: building, taking back what was removed, expiry.
import { BUCKETS } from '#lib/id';
import { bytesFreed, despiteFailures } from '#outbox';
import type {
  ArticleErased,
  CommentDeleted,
  ExportRequested,
  PrincipalClosed,
  Recurring,
  Subscriber,
  SubscriberServices,
} from '#outbox';
import type { MediaStore } from '#storage';
import {
  deleteExportRow,
  listAllExports,
  listOverdue,
  listPartNames,
  listUnended,
} from './queries/index.ts';
import { buildExport } from './service/build-export.ts';
import { endOverdue, invalidate } from './service/end-exports.ts';
import type { ExportServices } from './service/step.ts';

export type ExportsServices = Pick<ExportServices, 'store' | 'config'>;

/** A removal is dated before its transaction, which takes seconds at most. */
const overlapMs = 15_000;

async function invalidateOf(
  authorId: string,
  message: { readonly bucket: number; readonly created_at: string },
  { db, now }: SubscriberServices,
): Promise<void> {
  const { bucket, created_at: at } = message;
  const before = new Date(Date.parse(at) + overlapMs);
  for (const id of await listUnended(db, { bucket, id: authorId }, before))
    await invalidate(db, { bucket, id }, now());
}

/** Returns the subscribers of exports. */
export function exportSubscribers(services: ExportsServices): readonly Subscriber[] {
  const onRequested: Subscriber<ExportRequested> = {
    type: 'export.requested',
    name: 'buildExport',
    priority: 'background',
    // An export reads a lot for a long time: one at a time, in turns.
    alone: 'export',
    run: ({ bucket, payload }, own) =>
      buildExport({ bucket, id: payload.export_id }, { ...services, ...own }),
  };
  const onErased: Subscriber<ArticleErased> = {
    type: 'article.erased',
    name: 'expireExports',
    priority: 'urgent',
    run: (message, own) => invalidateOf(message.payload.author_id, message, own),
  };
  const onDeleted: Subscriber<CommentDeleted> = {
    type: 'comment.deleted',
    name: 'expireExports',
    priority: 'urgent',
    run: (message, own) => invalidateOf(message.payload.author_id, message, own),
  };
  const onClosed: Subscriber<PrincipalClosed> = {
    type: 'principal.closed',
    name: 'deleteExports',
    priority: 'urgent',
    run: async ({ bucket, payload }, { db, now }) => {
      for (const id of await listAllExports(db, { bucket, id: payload.principal_id }))
        await db.transaction(async (tx) => {
          bytesFreed(tx, bucket, await deleteExportRow(tx, { bucket, id }), now());
        });
    },
  };
  return [onRequested, onErased, onDeleted, onClosed] as readonly Subscriber[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Retries of the queue end after two days. */
const stuckMs = 3 * dayMs;
/** How long the record of an expired export stays. */
const forgottenMs = 30 * dayMs;
const overdueAtOnce = 500;
/** Younger pieces may belong to a step that is not committed yet. */
const graceMs = 2 * hourMs;
const namesAtOnce = 1_000;
/** Each hour checks a share of the buckets, so that each bucket is checked once a day. */
const sharesADay = 24;

/** Ends exports that are over, and returns how many. */
export async function sweepOverdue({
  db,
  now,
}: Pick<SubscriberServices, 'db' | 'now'>): Promise<number> {
  const at = now();
  const before = (ms: number) => new Date(at.getTime() - ms);
  const dates = { now: at, stuckSince: before(stuckMs), forgottenSince: before(forgottenMs) };
  const each = despiteFailures();
  let swept = 0;
  for (let batch = overdueAtOnce; batch >= overdueAtOnce; swept += batch) {
    const overdue = await listOverdue(db, dates, overdueAtOnce);
    for (const one of overdue) await each.attempt(() => endOverdue(db, one, at));
    batch = overdue.length;
  }
  each.finish();
  return swept;
}

/** Deletes stored pieces of one bucket to which no part refers, and returns how many. */
export async function sweepPieces(
  bucket: number,
  store: Pick<MediaStore, 'list' | 'delete'>,
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
): Promise<number> {
  const before = new Date(now().getTime() - graceMs);
  const old: string[] = [];
  for await (const { name, storedAt } of store.list(bucket, 'export'))
    if (storedAt < before) old.push(name);
  let removed = 0;
  for (let from = 0; from < old.length; from += namesAtOnce) {
    const names = old.slice(from, from + namesAtOnce);
    const known = await listPartNames(db, bucket, names);
    for (const name of names.filter((one) => !known.has(one))) {
      await store.delete(name);
      removed += 1;
    }
  }
  return removed;
}

async function sweep(store: MediaStore, services: SubscriberServices): Promise<void> {
  const swept = await sweepOverdue(services);
  if (swept > 0) services.log.info({ swept }, 'Deleted exports that have expired.');
  const hour = Math.floor(services.now().getTime() / hourMs) % sharesADay;
  let removed = 0;
  for (let bucket = hour; bucket < BUCKETS; bucket += sharesADay)
    removed += await sweepPieces(bucket, store, services);
  if (removed > 0) services.log.info({ removed }, 'Deleted pieces of exports without a record.');
}

export function exportRecurring({ store }: Pick<ExportsServices, 'store'>): readonly Recurring[] {
  return [{ name: 'sweepExports', everyMinutes: 60, run: (services) => sweep(store, services) }];
}
