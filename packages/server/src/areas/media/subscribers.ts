// Subscribers and recurring jobs of media: variants, deletion of bytes, closed accounts, unfilled records.
import { mediaWidths } from '@colophon/contract';
import { releaseStored } from '#http';
import type { ImageWork } from '#images';
import type { RowKey } from '#lib/id';
import { bytesFreed } from '#outbox';
import type {
  BytesFreed,
  MediaReady,
  PrincipalClosed,
  Subscriber,
  SubscriberServices,
  Recurring,
} from '#outbox';
import type { MediaStore } from '#storage';
import {
  deleteUnfilled,
  findImage,
  lockLeft,
  setMediaRemoved,
  setDecoded,
} from './queries/index.ts';
import type { NewVariant } from './queries/index.ts';
import { reconcileShare } from './service/reconcile-store.ts';

export interface MediaServices {
  readonly store: MediaStore;
  readonly images: ImageWork;
}

async function storeVariants(
  store: MediaStore,
  bucket: number,
  frames: readonly { readonly width: number; readonly bytes: Buffer }[],
) {
  const variants: NewVariant[] = [];
  for (const { width, bytes } of frames) {
    const { name, size } = await store.put({ bucket, length: bytes.length, chunks: [bytes] });
    variants.push({ width, name, byteSize: size });
  }
  return variants;
}

/**
 * Builds the variants of an image, or stores that it cannot be decoded. Of two concurrent runs one is kept.
 */
export async function makeVariants(
  key: RowKey,
  { store, images }: MediaServices,
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
): Promise<void> {
  const image = await findImage(db, key);
  if (image === undefined || image.decoded !== null) return;
  const original = await store.open(image.name);
  if (original === undefined) throw new Error(`The file ${image.name} is not in the store.`);
  // Without a process to read them, the bytes would wait, with a connection to the store.
  const made = images.makeVariants(original, mediaWidths).finally(() => original.destroy());
  const frames = (await made) ?? [];
  const variants = await storeVariants(store, key.bucket, frames);
  const blob = { bucket: key.bucket, ...image };
  const updated = await db.transaction((tx) => setDecoded(tx, blob, variants, now()));
  // Another run was first, or no record uses the image any more.
  if (updated === 0) for (const { name } of variants) await store.delete(name);
}

const erasedAtOnce = 100;

/** Erases the files of a principal, in steps; after a crash, a second run does the rest. */
export async function eraseAllMedia(
  principal: RowKey,
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
): Promise<void> {
  const { bucket } = principal;
  for (let found = erasedAtOnce; found === erasedAtOnce;) {
    found = await db.transaction(async (tx) => {
      const left = await lockLeft(tx, principal, erasedAtOnce);
      if (left.length === 0) return 0;
      const at = now();
      const freed = await setMediaRemoved(tx, bucket, left, { now: at, erase: true });
      releaseStored(tx, bucket, left);
      bytesFreed(tx, bucket, freed, at);
      return left.length;
    });
  }
}

/**
 * Returns the subscribers of media. The store is called, and images are decoded, outside every transaction.
 */
export function subscribersWith(services: MediaServices): readonly Subscriber[] {
  const onReady: Subscriber<MediaReady> = {
    type: 'media.ready',
    name: 'makeVariants',
    // A hostile image takes half a minute to decode: a few of them would block the whole pipeline.
    alone: 'decode',
    run: ({ bucket, payload }, own) =>
      makeVariants({ bucket, id: payload.media_id }, services, own),
  };
  const onFreed: Subscriber<BytesFreed> = {
    type: 'bytes.freed',
    name: 'deleteBytes',
    // A store that says nothing holds each job for three attempts of 15 s.
    alone: 'delete',
    run: async ({ payload }) => {
      for (const name of payload.names) await services.store.delete(name);
    },
  };
  const onClosed: Subscriber<PrincipalClosed> = {
    type: 'principal.closed',
    name: 'eraseMedia',
    run: async ({ bucket, payload }, own) => {
      if (payload.treatment === 'erase')
        await eraseAllMedia({ bucket, id: payload.principal_id }, own);
    },
  };
  return [onReady, onFreed, onClosed];
}

const pendingMs = 24 * 3_600_000;
const batchSize = 1_000;

/** Deletes reservations that were never filled and returns how many. */
export async function removeUnfilled({ db, now }: Pick<SubscriberServices, 'db' | 'now'>) {
  const before = new Date(now().getTime() - pendingMs);
  let removed = 0;
  for (let batch = batchSize; batch === batchSize; removed += batch)
    batch = await db.transaction((tx) => deleteUnfilled(tx, before, batchSize));
  return removed;
}

export function recurringWith({ store }: Pick<MediaServices, 'store'>): readonly Recurring[] {
  return [
    {
      name: 'removeUnfilledMedia',
      everyMinutes: 10,
      run: async (services) => {
        const removed = await removeUnfilled(services);
        if (removed > 0)
          services.log.debug({ removed }, 'Deleted media reservations that were not filled.');
      },
    },
    {
      name: 'reconcileMedia',
      everyMinutes: 60,
      run: (services) => reconcileShare(store, services),
    },
  ];
}
