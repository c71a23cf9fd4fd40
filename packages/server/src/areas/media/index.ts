// The door of media: its operations, its work in the background, and what neighbours may ask.
import type { Db, Tx } from '#database';
import { problem, releaseStored } from '#http';
import type { ServedBytes } from '#http';
import { bucketOf, isId } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { createMedia } from './operations/create-media.ts';
import { deleteMedia } from './operations/delete-media.ts';
import { listMedia } from './operations/list-media.ts';
import { readMediaContent } from './operations/read-media-content.ts';
import { readMedia } from './operations/read-media.ts';
import { updateMedia } from './operations/update-media.ts';
import { uploadMedia } from './operations/upload-media.ts';
import { bytesFreed } from './outbox.ts';
import {
  existsReadyImage,
  findServed,
  lockModerated,
  lockOnlyHere,
  removeHeld,
  setModerated,
} from './queries/index.ts';
import type { ErasedArticle } from './queries/index.ts';
import { chosenBytes, requireKnown, requireLive, widthOf } from './rules.ts';
import { bytesView } from './views.ts';

export { reactionsWith, recurringWith } from './reactions.ts';

export const operations = [
  createMedia,
  uploadMedia,
  readMedia,
  readMediaContent,
  listMedia,
  updateMedia,
  deleteMedia,
];

/** Finds the bytes of GET /media/{id}: there is nothing before they are ready, and nothing after a removal. */
export function bytesFrom(db: Db) {
  return async (id: string, w: string | undefined): Promise<ServedBytes> => {
    if (!isId(id)) throw problem('not-found', 'No file has this id.');
    const width = widthOf(problem, w);
    const row = await findServed(db, { bucket: bucketOf(id), id }, width);
    requireKnown(problem, row, null);
    requireLive(problem, row);
    return bytesView(row, chosenBytes(problem, row, width));
  };
}

/** Whether an id names a ready image of this principal. */
export async function isOwnImage(db: Db, ownerId: string, id: string): Promise<boolean> {
  const bucket = bucketOf(ownerId);
  if (!isId(id) || bucketOf(id) !== bucket) return false;
  return (await existsReadyImage(db, { bucket, id }, ownerId)) !== undefined;
}

/**
 * Erases those of the author's media that an article named and no other one of theirs does. For the
 * transaction that erases the article; what it named must be said, since its texts may be gone by now.
 */
export async function eraseMediaOf(tx: Tx, article: ErasedArticle, now: Date): Promise<number> {
  const { bucket } = article;
  const media = await lockOnlyHere(tx, article);
  if (media.length === 0) return 0;
  const freed = await removeHeld(tx, bucket, media, { now, erase: true });
  releaseStored(tx, bucket, media);
  bytesFreed(tx, bucket, freed, now);
  return media.length;
}

/** Ids that a text could name media by. */
export function mediaIdsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g) ?? [])];
}

/** Holds a record for moderation until the transaction ends; undefined when there is none. */
export function holdMedia(tx: Tx, id: string): Promise<HeldTarget | undefined> {
  return lockModerated(tx, { bucket: bucketOf(id), id });
}

/** Puts a held record into the state that an action leaves it in; its bytes are kept. */
export function moderateMedia(tx: Tx, id: string, { state }: Pick<ModeratedChange, 'state'>): void {
  void setModerated(tx, { bucket: bucketOf(id), id }, state);
}
