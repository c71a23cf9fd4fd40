// The rules of media: who may see and change a record, and which bytes are accepted. Pure.
import { limits, mediaTypeKinds, mediaWidths } from '@colophon/contract';
import { requirePresent, requireScope } from '#http';
import type { AuditedRead, Caller, Problems, ServedBytes } from '#http';
import type { Recognised } from './media-type.ts';
import type { Kind, MediaRow, ServedRow } from '../queries/index.ts';

/** Seconds until a retry: an operator must free disk space first. */
const roomSeconds = 300;

const unknown = 'No media record has this id, or it is not visible to you.';

/** Returns whether everyone with the id may know the record: its bytes are, or were, public. */
function isOpen(media: MediaRow): boolean {
  if (media.hidden) return false;
  return media.status === 'ready' || (media.status === 'removed' && media.checksum !== null);
}

/** Returns whether the caller owns the record; for a hidden record also whether the caller owns its agent. */
function isOwner(media: MediaRow, caller: Caller | null): caller is Caller {
  return (
    caller !== null && (caller.id === media.owner_principal_id || caller.id === media.answerable_id)
  );
}

function isModerator(caller: Caller | null): boolean {
  return caller?.scopes.includes('admin:moderate') === true;
}

/**
 * Requires that the caller may know that the record exists. Its owner needs media:write for a record that is
 * not public.
 * @throws not-found, insufficient-scope
 */
export function requireKnown(
  problem: Problems<'not-found'>,
  media: MediaRow | undefined,
  caller: Caller | null,
): asserts media is MediaRow {
  if (media === undefined) throw problem('not-found', unknown);
  if (isOpen(media)) return;
  if (isModerator(caller)) return;
  if (!isOwner(media, caller)) throw problem('not-found', unknown);
  requireScope(caller, 'media:write');
}

/** Returns the audit record of a read that only a moderator may make. `bytes`: a read of the file itself. */
export function auditedRead(
  media: MediaRow,
  caller: Caller | null,
  bytes: boolean,
): { readonly audited?: AuditedRead } {
  if (!isModerator(caller) || isOwner(media, caller)) return {};
  if (isOpen(media) && !(bytes && media.status === 'removed')) return {};
  const { status, hidden } = media;
  return { audited: { target_type: 'media', target_id: media.id, details: { status, hidden } } };
}

/** @throws forbidden */
export function requireOwner(
  problem: Problems<'forbidden'>,
  media: MediaRow,
  caller: Caller,
): void {
  if (caller.id !== media.owner_principal_id)
    throw problem('forbidden', 'Only the owner of this record can change it.');
}

/** Requires that the record was not removed. @throws gone, unavailable-for-legal-reasons */
export function requireLive(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  media: MediaRow,
): void {
  if (media.status === 'removed') requirePresent(problem, 'file', media, 'removed');
}

/**
 * Requires that the owner still has something to delete, even after a moderator removed the record.
 * @throws gone, unavailable-for-legal-reasons
 */
export function requireWithdrawable(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  media: MediaRow,
): void {
  if (media.held_checksum === null) requireLive(problem, media);
}

/**
 * Requires that the bytes may be read; moderators may read removed bytes too, as long as they are stored.
 * @throws gone, unavailable-for-legal-reasons
 */
export function requireServed(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  media: MediaRow,
  caller: Caller,
): void {
  if (media.held_checksum === null || !isModerator(caller)) requireLive(problem, media);
}

/** @throws conflict: when the record is no longer pending */
export function requirePending(problem: Problems<'conflict'>, media: MediaRow): void {
  if (media.status !== 'pending') throw notPending(problem, media.status);
}

export function notPending(problem: Problems<'conflict'>, status?: MediaRow['status']) {
  const state = status === undefined ? 'no longer pending' : `${status}, not pending`;
  return problem(
    'conflict',
    `The record is ${state}. Read it again, and reserve another record for other bytes.`,
  );
}

/**
 * Refuses an upload before any byte is read, so that the database keeps its share of the disk.
 * @throws unavailable
 */
export function requireRoom(problem: Problems<'unavailable'>, hasRoom: boolean): void {
  if (hasRoom) return;
  const detail =
    'The server is low on disk space and accepts no uploads at the moment. Try again later.';
  throw problem('unavailable', detail, { retry_after_seconds: roomSeconds });
}

/** The accepted types of each kind as people call them: the reason of a rejection is shown in the editor too. */
const acceptedFormats: Readonly<Record<Kind, string>> = {
  image: 'PNG, JPEG, GIF, WebP or AVIF',
  video: 'MP4 or WebM',
  audio: 'MP3, Ogg, WAV, FLAC or MP4',
  document: 'PDF',
};

/** Returns why bytes are rejected; undefined when they are accepted. */
export function rejectionOf(kind: Kind, found: Recognised | undefined): string | undefined {
  if (found === undefined) {
    const { [kind]: formats } = acceptedFormats;
    return `The type of the file is not accepted. Use ${formats}.`;
  }
  const fits = mediaTypeKinds[found.type];
  if (fits !== kind)
    return `The file is ${found.type}, but the record is of kind ${kind}. Use ${acceptedFormats[kind]}, or a record of kind ${fits}.`;
  const { width, height } = found.size ?? { width: 0, height: 0 };
  if (width * height > limits.media_pixels_max)
    return `The image has ${width} × ${height} pixels, more than the limit of ${limits.media_pixels_max}.`;
  return undefined;
}

/** Returns the width in ?w=; null for the original. @throws invalid-request */
export function widthOf(problem: Problems<'invalid-request'>, text: string | undefined) {
  if (text === undefined) return null;
  const width = mediaWidths.find((one) => String(one) === text);
  if (width !== undefined) return width;
  throw problem('invalid-request', `The parameter w must be one of ${mediaWidths.join(', ')}.`);
}

/** A file in the store. */
export interface ChosenBytes extends Pick<ServedBytes, 'size' | 'contentType' | 'etag'> {
  readonly name: string;
}

/** Returns the original, or the variant of that width. @throws not-found: while it does not exist */
export function chosenBytes(
  problem: Problems<'not-found'>,
  row: ServedRow,
  width: number | null,
): ChosenBytes {
  const { name, content_type: type, byte_size: size, checksum } = row;
  if (name === null || type === null || size === null || checksum === null)
    throw problem('not-found', 'This record has no bytes.');
  if (width === null) return { name, size, contentType: type, etag: checksum };
  if (row.variant_name === null || row.variant_size === null)
    throw problem(
      'not-found',
      'This variant does not exist, or not yet. Leave w out to get the original.',
    );
  const etag = `${checksum}.${width}`;
  return { name: row.variant_name, size: row.variant_size, contentType: 'image/webp', etag };
}

/** Returns whether a file is served as a download only: documents, and images that cannot be decoded. */
export function isAttachment(media: Pick<MediaRow, 'kind'>, decoded: boolean | null): boolean {
  return media.kind === 'document' || decoded === false;
}
