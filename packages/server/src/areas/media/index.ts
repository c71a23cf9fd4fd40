// The door of media: its operations, its work in the background, and what neighbours may ask.
import type { Db, Tx } from '#database';
import { problem } from '#http';
import type { ServedBytes } from '#http';
import { bucketOf, isId } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import type { MediaStore } from '#storage';
import { createMedia } from './operations/create-media.ts';
import { deleteMedia } from './operations/delete-media.ts';
import { listMedia } from './operations/list-media.ts';
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
import type { ErasedArticle, ServedRow } from './queries/index.ts';
import { isAttachment, requireKnown, requireLive, widthOf } from './rules.ts';

export { reactionsWith, recurringWith } from './reactions.ts';

export const operations = [
  createMedia,
  uploadMedia,
  readMedia,
  listMedia,
  updateMedia,
  deleteMedia,
];

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
};

function extensionOf(type: string): string {
  return extensions[type] ?? type.slice(type.indexOf('/') + 1);
}

/** The original, or the variant of that width. @throws not-found while the variant is not there */
function chosen(row: ServedRow, width: number | null) {
  const { name, content_type: type, byte_size: size, checksum } = row;
  if (name === null || type === null || size === null || checksum === null)
    throw problem('not-found', 'There are no bytes of this record.');
  if (width === null) return { name, size, contentType: type, etag: checksum };
  if (row.variant_name === null || row.variant_size === null)
    throw problem(
      'not-found',
      'There is no such variant, or not yet. Leave w out for the original.',
    );
  const etag = `${checksum}.${width}`;
  return { name: row.variant_name, size: row.variant_size, contentType: 'image/webp', etag };
}

/** @throws unavailable */
function unreachable(cause?: unknown): never {
  const detail = 'The bytes cannot be reached now. Try again later.';
  throw Object.assign(problem('unavailable', detail, { retry_after_seconds: 60 }), { cause });
}

/** Finds the bytes of GET /media/{id}: there is nothing before they are ready, and nothing after a removal. */
export function bytesFrom(db: Db, store: MediaStore) {
  return async (id: string, w: string | undefined): Promise<ServedBytes> => {
    if (!isId(id)) throw problem('not-found', 'No file has this id.');
    const width = widthOf(problem, w);
    const row = await findServed(db, { bucket: bucketOf(id), id }, width);
    requireKnown(problem, row, null);
    requireLive(problem, row);
    const { name, ...shown } = chosen(row, width);
    return {
      ...shown,
      attachment: isAttachment(row, row.decoded),
      fileName: `${id}.${extensionOf(shown.contentType)}`,
      open: async (range) => {
        const bytes = await store.open(name, range).catch(unreachable);
        return bytes ?? unreachable();
      },
      reach: async () => {
        if (!(await store.exists(name).catch(unreachable))) unreachable();
      },
    };
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
  bytesFreed(tx, bucket, await removeHeld(tx, bucket, media, { now, erase: true }), now);
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
