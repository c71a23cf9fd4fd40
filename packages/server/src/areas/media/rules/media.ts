// Who may see and change media, and what becomes of bytes. Pure.
import { limits, mediaTypeKinds, mediaWidths } from '@colophon/contract';
import { missingScope } from '#http';
import type { AuditedRead, Caller, Problems, ServedBytes } from '#http';
import type { Recognised } from './media-type.ts';
import type { Kind, MediaRow, ServedRow } from '../queries/index.ts';

/** Until an operator has made room. */
const roomSeconds = 300;

const unknown = 'No media record has this id, or you may not see it.';

/** Whether everybody with the id may know of the record: its bytes are, or were, there for all. */
function isOpen(media: MediaRow): boolean {
  if (media.hidden) return false;
  return media.status === 'ready' || (media.status === 'removed' && media.checksum !== null);
}

/** Whose it is; of what a moderator has hidden, also who answers for the agent whose it is. */
function isOwner(media: MediaRow, caller: Caller | null): caller is Caller {
  return (
    caller !== null && (caller.id === media.owner_principal_id || caller.id === media.answerable_id)
  );
}

function isModerator(caller: Caller | null): boolean {
  return caller?.scopes.includes('admin:moderate') === true;
}

/**
 * The record is there for this caller at all. Its owner needs media:write for what nobody else sees.
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
  if (!caller.scopes.includes('media:write')) throw missingScope(['media:write'], caller.scopes);
}

/** The audit record of a read that shows what only a moderator sees. `bytes`: the file itself. */
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
    throw problem('forbidden', 'Only whoever reserved this record may change it.');
}

/** The record was not taken away. @throws gone, unavailable-for-legal-reasons */
export function requireLive(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  media: MediaRow,
): void {
  const { removed_at, reason_code } = media;
  if (media.status !== 'removed') return;
  const members = {
    ...(removed_at === null ? {} : { removed_at }),
    ...(reason_code === null ? {} : { reason_code }),
  };
  if (media.removed_legally) {
    const detail = 'The file was removed for legal reasons.';
    throw problem('unavailable-for-legal-reasons', detail, members);
  }
  throw problem('gone', `The file was removed on ${removed_at}.`, members);
}

/**
 * There is still something that its owner can take away, whatever moderators made of it.
 * @throws gone, unavailable-for-legal-reasons
 */
export function requireWithdrawable(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  media: MediaRow,
): void {
  if (media.held_checksum === null) requireLive(problem, media);
}

/**
 * The bytes may be read: moderators read what they removed too, as long as it is kept.
 * @throws gone, unavailable-for-legal-reasons
 */
export function requireServed(
  problem: Problems<'gone' | 'unavailable-for-legal-reasons'>,
  media: MediaRow,
  caller: Caller,
): void {
  if (media.held_checksum === null || !isModerator(caller)) requireLive(problem, media);
}

/** @throws conflict: whoever came first has decided */
export function requirePending(problem: Problems<'conflict'>, media: MediaRow): void {
  if (media.status !== 'pending') throw notPending(problem, media.status);
}

export function notPending(problem: Problems<'conflict'>, status?: MediaRow['status']) {
  const state = status === undefined ? 'not pending any more' : `${status}, not pending`;
  return problem(
    'conflict',
    `The record is ${state}: read it again, and reserve another one for other bytes.`,
  );
}

/** Refused before any byte is taken, so that the database keeps its part of the disk. @throws unavailable */
export function requireRoom(problem: Problems<'unavailable'>, hasRoom: boolean): void {
  if (hasRoom) return;
  const detail = 'The server is low on disk space and takes no files now. Try again later.';
  throw problem('unavailable', detail, { retry_after_seconds: roomSeconds });
}

/** Why bytes are not kept; undefined: they are. */
export function rejectionOf(kind: Kind, found: Recognised | undefined): string | undefined {
  if (found === undefined) {
    const types = Object.keys(mediaTypeKinds).filter(
      (type) => mediaTypeKinds[type as keyof typeof mediaTypeKinds] === kind,
    );
    return `The bytes are of no type that is taken. A record of kind ${kind} takes ${types.join(', ')}.`;
  }
  const fits = mediaTypeKinds[found.type];
  if (fits !== kind)
    return `The bytes are ${found.type}, and the record says ${kind}: reserve one of kind ${fits}.`;
  const { width, height } = found.size ?? { width: 0, height: 0 };
  if (width * height > limits.media_pixels_max)
    return `The image names ${width} × ${height} pixels, over the limit of ${limits.media_pixels_max}.`;
  return undefined;
}

/** The width that ?w= asks for; null for the original. @throws invalid-request */
export function widthOf(problem: Problems<'invalid-request'>, text: string | undefined) {
  if (text === undefined) return null;
  const width = mediaWidths.find((one) => String(one) === text);
  if (width !== undefined) return width;
  throw problem('invalid-request', `The parameter w takes ${mediaWidths.join(', ')}.`);
}

/** What is in the store under one name. */
export type ChosenBytes = Pick<ServedBytes, 'name' | 'size' | 'contentType' | 'etag'>;

/** The original, or the variant of that width. @throws not-found while it is not there */
export function chosenBytes(
  problem: Problems<'not-found'>,
  row: ServedRow,
  width: number | null,
): ChosenBytes {
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

/** Documents, and images that do not decode, are kept as files and never shown. */
export function isAttachment(media: Pick<MediaRow, 'kind'>, decoded: boolean | null): boolean {
  return media.kind === 'document' || decoded === false;
}
