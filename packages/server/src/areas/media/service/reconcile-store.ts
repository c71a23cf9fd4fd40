// Compares the media store with the rows that refer to it.
import { BUCKETS } from '#lib/id';
import { despiteFailures } from '#outbox';
import type { SubscriberServices } from '#outbox';
import type { MediaStore } from '#storage';
import { listKnownNames, listOldNames } from '../queries/index.ts';

const hourMs = 3_600_000;
/** Younger files may belong to a transaction that is not committed yet. */
const graceMs = hourMs;
const batchSize = 1_000;

/**
 * Compares the store with the rows of one bucket. Deletes bytes to which no row refers, which remain after a
 * process died between the two writes. Returns how many, and the names of rows whose bytes are missing.
 */
export async function reconcile(
  bucket: number,
  store: MediaStore,
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
): Promise<{ readonly removed: number; readonly lost: readonly string[] }> {
  const before = new Date(now().getTime() - graceMs);
  const expected = await listOldNames(db, bucket, before);
  const present = new Set<string>();
  const old: string[] = [];
  for await (const { name, storedAt } of store.list(bucket)) {
    present.add(name);
    if (storedAt < before) old.push(name);
  }
  let removed = 0;
  for (let from = 0; from < old.length; from += batchSize) {
    const names = old.slice(from, from + batchSize);
    const known = await listKnownNames(db, bucket, names);
    for (const name of names.filter((one) => !known.has(one))) {
      await store.delete(name);
      removed += 1;
    }
  }
  const missing = expected.filter((name) => !present.has(name));
  // Names deleted meanwhile are not lost.
  const known = missing.length === 0 ? new Set() : await listKnownNames(db, bucket, missing);
  const lost: string[] = [];
  for (const name of missing) if (known.has(name) && !(await store.exists(name))) lost.push(name);
  return { removed, lost };
}

/** Each hour checks a share of the buckets, so that each bucket is checked once a day. */
const sharesADay = 24;

/** Compares the share of the buckets that is due in this hour, logs what is missing, and sweeps the store. */
export async function reconcileShare(
  store: MediaStore,
  services: SubscriberServices,
): Promise<void> {
  const { log, now } = services;
  const hour = Math.floor(now().getTime() / hourMs) % sharesADay;
  let removed = await store.sweep(new Date(now().getTime() - graceMs));
  const each = despiteFailures();
  const reconcileOne = async (bucket: number) => {
    const found = await reconcile(bucket, store, services);
    removed += found.removed;
    if (found.lost.length > 0)
      log.error(
        { bucket, names: found.lost },
        'Media files are missing from the store; restore them from a backup.',
      );
  };
  for (let bucket = hour; bucket < BUCKETS; bucket += sharesADay)
    await each.attempt(() => reconcileOne(bucket));
  if (removed > 0) log.info({ removed }, 'Deleted stored files that have no media record.');
  each.finish();
}
