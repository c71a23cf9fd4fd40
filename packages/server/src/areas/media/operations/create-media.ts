// POST /v1/media: reserves a record, which stays pending until its bytes are uploaded.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { canonicalJson } from '#lib/canonical-json';
import { newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { insertMedia } from '../queries/index.ts';
import { requireRoom } from '../rules/media.ts';
import { mediaView } from '../views.ts';

export const createMedia = implement(operations.createMedia, async ({ problem, store }) => {
  // A client that reserves a record sends its bytes next.
  requireRoom(problem, await store.hasRoom(0));
})(async ({ tx, caller, config, now, charge }, { body }) => {
  const { bucket } = caller;
  const id = newId(bucket, now.getTime());
  const { kind, source = 'upload', alt_text: altText = null, generation_metadata: given } = body;
  const generationMetadata = given === undefined || given === null ? null : canonicalJson(given);
  const made = { kind, source, altText, generationMetadata };
  void insertMedia(tx, { bucket, id, ownerId: caller.id, ...made, now });
  charge('media.create');
  const row = {
    id,
    owner_principal_id: caller.id,
    status: 'pending' as const,
    kind,
    source,
    alt_text: altText,
    content_type: null,
    byte_size: null,
    checksum: null,
    held_checksum: null,
    rejection_reason: null,
    hidden: false,
    created_at: timestamp(now),
    finalized_at: null,
    removed_at: null,
    removed_legally: false,
    reason_code: null,
    answerable_id: null,
    moderation: null,
  };
  return { status: 201, location: `/v1/media/${id}`, body: mediaView(row, config) };
});
