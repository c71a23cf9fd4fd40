// Share images: drawn when an article is listed or an image is requested, deleted when out of date.
import type { Readable } from 'node:stream';
import type { Config } from '#config';
import type { Database, Tx } from '#database';
import type { Drawing } from '#drawing';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { cardKey } from '@colophon/share-images';
import type { Card } from '@colophon/share-images';
import { timestamp } from '#lib/timestamp';
import { bytesFreed } from '#outbox';
import type { ArticleChanged, ArticleErased, Subscriber, SubscriberServices } from '#outbox';
import { countArticles, listArticlesAfter } from '#reindex';
import {
  deleteOgImage,
  findPictured,
  listStaleOgImages,
  lockOgImage,
  setOgImage,
  setOgRevision,
} from '../queries.ts';
import type { KeptImage, PicturedRow } from '../queries.ts';
import { cardOf, hostOf } from '../rules.ts';
import type { Rebuilding } from '#reindex';

/** The part of the media store that images need. */
export interface ImageStore {
  put(incoming: {
    readonly bucket: number;
    readonly length: number;
    readonly chunks: Iterable<Uint8Array>;
  }): Promise<{ readonly name: string; readonly size: number }>;
  open(name: string): Promise<Readable | undefined>;
}

/** What is needed to draw and store images. */
export interface OgParts {
  readonly store: ImageStore;
  readonly drawing: Drawing;
  readonly config: Pick<Config, 'baseUrl'>;
}

type Own = Pick<SubscriberServices, 'db' | 'now'>;

function wantedCard(row: PicturedRow | undefined, host: string): Card | undefined {
  return row && cardOf(row, host);
}

/**
 * Keeps one image and frees the others. The image's row is locked first, and a later statement reads the
 * article: of the stored image and the one just drawn, the one that matches the article now stays,
 * whichever transaction comes first. The bytes of any other image are freed.
 */
async function settle(
  tx: Tx,
  articleKey: RowKey,
  { drawn, host, now }: { drawn: KeptImage | undefined; host: string; now: Date },
): Promise<void> {
  const [found, row] = await Promise.all([
    lockOgImage(tx, articleKey, timestamp(now)),
    findPictured(tx, articleKey),
  ]);
  const card = wantedCard(row, host);
  const key = card && cardKey(card);
  const revisionId = row?.published_revision_id ?? '';
  const held = found?.name === '' ? undefined : found;
  const images = [held, drawn].filter((image) => image !== undefined);
  const staying = images.find((image) => image.key === key);
  if (staying === undefined) void deleteOgImage(tx, articleKey);
  else if (staying === held) void setOgRevision(tx, articleKey, revisionId);
  else void setOgImage(tx, articleKey, { ...staying, revisionId, now: timestamp(now) });
  const freed = images.filter((image) => image !== staying);
  bytesFreed(
    tx,
    articleKey.bucket,
    freed.map(({ name }) => name),
    now,
  );
}

/**
 * Draws a card and stores its image. Returns undefined if more than `waitingMax` others are to be drawn
 * first. A process that dies between the two steps leaves bytes that the store's daily comparison removes.
 */
export async function drawAndKeep(
  articleKey: RowKey,
  card: Card,
  { db, now, store, drawing, config }: Own & OgParts,
  waitingMax?: number,
): Promise<Buffer | undefined> {
  const png = await drawing.draw(card, waitingMax);
  if (png === undefined) return undefined;
  const { name, size } = await store.put({
    bucket: articleKey.bucket,
    length: png.length,
    chunks: [png],
  });
  const drawn = { key: cardKey(card), name, byteSize: size };
  await db.transaction((tx) =>
    settle(tx, articleKey, { drawn, host: hostOf(config.baseUrl), now: now() }),
  );
  return png;
}

/** Frees an image that is out of date, and records the present revision of one that is not. */
async function settleNow(db: Database, articleKey: RowKey, host: string, now: Date) {
  await db.transaction((tx) => settle(tx, articleKey, { drawn: undefined, host, now }));
}

/** Returns the step that an article's image needs. */
function stepOf(
  row: PicturedRow | undefined,
  card: Card | undefined,
): 'nothing' | 'draw' | 'settle' {
  if (row === undefined) return 'settle';
  const isTrue = card !== undefined && row.image_key === cardKey(card);
  if (isTrue && row.image_revision_id === row.published_revision_id) return 'nothing';
  if (!isTrue && card !== undefined && row.listed) return 'draw';
  return row.image_key === null ? 'nothing' : 'settle';
}

/**
 * An author who takes another name while the image is drawn sends no message about the article. After these drawings the
 * image is drawn when it is requested.
 */
const drawingsMax = 3;

/**
 * Brings the image of an article up to date with its present state. An article that is not listed has an
 * image only if one was requested, and loses it when it is out of date.
 */
export async function makeOgImage(articleKey: RowKey, services: Own & OgParts): Promise<void> {
  const host = hostOf(services.config.baseUrl);
  for (let times = 0; times < drawingsMax; times += 1) {
    const row = await findPictured(services.db, articleKey);
    const card = wantedCard(row, host);
    const step = stepOf(row, card);
    if (step === 'settle') await settleNow(services.db, articleKey, host, services.now());
    if (step !== 'draw' || card === undefined) return;
    await drawAndKeep(articleKey, card, services);
  }
}

/** The name of the derived rows in that command. */
export const ogImages = 'og-images';

/** The derived rows of share images, for the operator's command that rebuilds them. */
export function rebuildingOgImages(parts: OgParts): Rebuilding {
  return {
    name: ogImages,
    version: 1,
    count: countArticles,
    next: listArticlesAfter,
    stale: listStaleOgImages,
    rebuild: (id, own) => makeOgImage(keyOf(id), { ...parts, ...own }),
  };
}

/**
 * Draws one image at a time, after all other jobs. Without `drawsAhead`, an image is drawn only on request.
 */
export function shareImageSubscribers(parts: OgParts, drawsAhead: boolean): readonly Subscriber[] {
  const host = hostOf(parts.config.baseUrl);
  const onChanged: Subscriber<ArticleChanged> = {
    type: 'article.changed',
    name: 'makeOgImage',
    priority: 'idle',
    alone: 'draw',
    run: ({ bucket, payload }, own) =>
      makeOgImage({ bucket, id: payload.article_id }, { ...parts, ...own }),
  };
  const onErased: Subscriber<ArticleErased> = {
    type: 'article.erased',
    name: 'eraseOgImage',
    priority: 'urgent',
    run: ({ bucket, payload }, { db, now }) =>
      settleNow(db, { bucket, id: payload.article_id }, host, now()),
  };
  return [...(drawsAhead ? [onChanged] : []), onErased] as readonly Subscriber[];
}
