// A share image as it is served: the stored one if it is up to date, otherwise drawn and stored now.
import { setTimeout as wait } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { requireReadable } from '#articles';
import { problem } from '#http';
import { isId, keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { cardKey } from '@colophon/share-images';
import type { SubscriberServices } from '#outbox';
import { findPictured } from '../queries.ts';
import type { PicturedRow } from '../queries.ts';
import { cardOf, hostOf } from '../rules.ts';
import { drawAndKeep } from './draw-image.ts';
import type { OgParts } from './draw-image.ts';

interface Opened {
  /** In bytes. */
  readonly size: number;
  readonly bytes: Readable;
}

export interface OgImage {
  /** The entity tag without quotes. */
  readonly etag: string;
  /** Whether the article may be found without its address. */
  readonly listed: boolean;
  /** Size of the stored image in bytes; undefined if there is none. */
  readonly size: number | undefined;
  /** @throws unavailable when too many images are to be drawn */
  open(): Promise<Opened>;
}

/** A request waits for at most this many other images, and at most this long. */
const waitingMax = 16;
const deadlineMs = 10_000;
const retrySeconds = 5;

function busy() {
  return problem(
    'unavailable',
    'The image cannot be drawn at the moment. Try again in a few seconds.',
    {
      retry_after_seconds: retrySeconds,
    },
  );
}

type Services = SubscriberServices & OgParts;

/**
 * Returns an article as anonymous readers see it: images are requested without a token. @throws not-found,
 * gone, 451
 */
async function findOpen({ db, config }: Services, articleKey: RowKey) {
  const row: PicturedRow | undefined = await findPictured(db, articleKey);
  requireReadable(problem, row, null);
  const card = cardOf(row, hostOf(config.baseUrl));
  if (card === undefined) throw problem('not-found', 'No article has this id.');
  return { row, card };
}

async function drawNow(articleKey: RowKey, services: Services): Promise<Opened> {
  const { card } = await findOpen(services, articleKey);
  const done = new AbortController();
  const late = wait(deadlineMs, undefined, { signal: done.signal }).catch(() => undefined);
  const drawn = drawAndKeep(articleKey, card, services, waitingMax).catch((error: Error) => {
    services.log.warn(
      { err: error, article_id: articleKey.id },
      'A share image could not be drawn; the next request tries again.',
    );
    return undefined;
  });
  const png = await Promise.race([drawn, late]);
  done.abort();
  if (png === undefined) throw busy();
  // Drawing takes a while, in which the article may have been removed.
  await findOpen(services, articleKey);
  return { size: png.length, bytes: Readable.from([png]) };
}

/** Returns a function that finds the image of an article that is open to everyone with its address. */
export function ogImageFrom(services: Services) {
  return async (id: string): Promise<OgImage> => {
    if (!isId(id)) throw problem('not-found', 'No article has this id.');
    const articleKey = keyOf(id);
    const { row, card } = await findOpen(services, articleKey);
    const key = cardKey(card);
    const { image_name: name, image_size: size } = row;
    const kept = row.image_key === key && name !== null && size !== null ? { name, size } : null;
    return {
      etag: key,
      listed: row.listed,
      size: kept?.size,
      open: async () => {
        const bytes = kept === null ? undefined : await services.store.open(kept.name);
        if (kept === null || bytes === undefined) return drawNow(articleKey, services);
        return { size: kept.size, bytes };
      },
    };
  };
}
