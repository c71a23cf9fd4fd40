// Who may see and change media, and what becomes of bytes. Pure.
import { limits, mediaTypeKinds, mediaWidths } from '@colophon/contract';
import { missingScope } from '#http';
import type { Caller, Problems } from '#http';
import type { Recognised } from '#lib/media-type';
import type { Kind, MediaRow } from './queries/index.ts';

const unknown = 'No media record has this id, or you may not see it.';

/** Whether everybody with the id may know of the record: its bytes are, or were, there for all. */
function isOpen(media: MediaRow): boolean {
  if (media.hidden) return false;
  return media.status === 'ready' || (media.status === 'removed' && media.checksum !== null);
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
  const isOwner = caller?.id === media.owner_principal_id;
  if (!isOwner && !caller?.scopes.includes('admin:moderate')) throw problem('not-found', unknown);
  if (isOwner && !caller.scopes.includes('media:write'))
    throw missingScope(['media:write'], caller.scopes);
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

/** Documents, and images that do not decode, are kept as files and never shown. */
export function isAttachment(media: Pick<MediaRow, 'kind'>, decoded: boolean | null): boolean {
  return media.kind === 'document' || decoded === false;
}
