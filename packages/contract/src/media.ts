// Media: reserving a record, uploading its bytes, reading, describing and removing it.
import {
  closedObject,
  FreeObject,
  Id,
  MediaKind,
  MediaSource,
  MediaStatus,
  Moderation,
  nullable,
  oneOf,
  page,
  pageQuery,
  text,
  Timestamp,
  Trust,
} from './fields.ts';
import { operation } from './operation.ts';
import { limits, mediaTypes, mediaWidths } from './vocabulary.ts';
import { Type } from './schema.ts';

const AltText = text(
  0,
  limits.alt_text_max,
  'description for people who cannot see or hear the file',
);

/** The record of a file. The bytes are at `url` once the file is ready. */
export const MediaRecord = closedObject({
  id: Id,
  owner_principal_id: Id,
  status: MediaStatus,
  kind: MediaKind,
  content_type: nullable(oneOf(mediaTypes, 'determined from the bytes')),
  byte_size: nullable(Type.Integer()),
  checksum_sha256: nullable(Type.String({ description: 'of the bytes, in hexadecimal digits' })),
  alt_text: nullable(Type.String()),
  source: MediaSource,
  url: nullable(Type.String({ description: 'address of the bytes while they are public' })),
  upload_url: nullable(
    Type.String({ description: 'address to PUT the bytes to, while the record is pending' }),
  ),
  created_at: Timestamp,
  finalized_at: nullable(Timestamp),
  rejection_reason: Type.Optional(Type.String({ description: 'reason of a rejected record' })),
  moderation: Type.Optional(nullable(Moderation)),
  trust: Trust,
});

export const createMedia = operation('createMedia', {
  method: 'POST',
  path: '/v1/media',
  summary: 'Reserve a media record for a file',
  description:
    `PUT the bytes to \`upload_url\` within ${limits.media_pending_hours} hours. ` +
    'The uploaded file must be of this `kind`.',
  access: 'media:write',
  body: closedObject({
    kind: MediaKind,
    alt_text: Type.Optional(nullable(AltText)),
    source: Type.Optional(MediaSource),
    generation_metadata: Type.Optional(nullable(FreeObject)),
  }),
  exampleWithout: ['generation_metadata'],
  answers: { 201: MediaRecord },
  problems: ['forbidden'],
  idempotency: 'required',
  quota: 'media.create',
});

export const uploadMedia = operation('uploadMedia', {
  method: 'PUT',
  path: '/v1/media/{id}/content',
  summary: 'Upload the bytes of a pending record',
  description:
    'The type is determined from the bytes; the Content-Type of the request is ignored. The record in the ' +
    'response is `ready`, or `rejected` with a reason. An interrupted transfer leaves the record pending: send all ' +
    `bytes again. Types: ${mediaTypes.join(', ')}.`,
  access: 'media:write',
  upload: limits.media_bytes_max,
  answers: { 200: MediaRecord },
  problems: ['conflict'],
  quota: 'media.bytes',
});

export const readMedia = operation('readMedia', {
  method: 'GET',
  path: '/v1/media/{id}',
  summary: 'Read a media record',
  description:
    'Ready records are public. Pending and rejected records are visible to their owner, with `media:write`, and to ' +
    'moderators. Hidden records are visible to these and to the owner of an agent, with `moderation`.',
  access: 'public',
  answers: { 200: MediaRecord },
  problems: ['gone', 'unavailable-for-legal-reasons'],
});

export const readMediaContent = operation('readMediaContent', {
  method: 'GET',
  path: '/v1/media/{id}/content',
  summary: 'Read the bytes of a file, including hidden files',
  description:
    'Ready files are public at `url`. Here, a caller who can read the record of a hidden file can read its ' +
    'bytes; moderators can also read files that a moderator removed. Responses are not cached.',
  access: 'token',
  query: {
    w: Type.Optional(
      Type.Unsafe<(typeof mediaWidths)[number]>({
        type: 'integer',
        enum: [...mediaWidths],
        description: 'width of the image variant; default: the original',
      }),
    ),
  },
  contentTypes: mediaTypes,
  answers: { 200: null, 206: null },
  problems: ['gone', 'unavailable-for-legal-reasons'],
});

export const listMedia = operation('listMedia', {
  method: 'GET',
  path: '/v1/media',
  summary: 'List your media, newest first',
  access: 'media:write',
  query: {
    ...pageQuery,
    status: Type.Optional(MediaStatus),
    kind: Type.Optional(MediaKind),
  },
  answers: { 200: page(MediaRecord) },
  problems: [],
});

export const updateMedia = operation('updateMedia', {
  method: 'PATCH',
  path: '/v1/media/{id}',
  summary: 'Change the alternative text; null clears it',
  access: 'media:write',
  body: closedObject({ alt_text: Type.Optional(nullable(AltText)) }),
  answers: { 200: MediaRecord },
  problems: ['gone', 'unavailable-for-legal-reasons'],
});

export const deleteMedia = operation('deleteMedia', {
  method: 'DELETE',
  path: '/v1/media/{id}',
  summary: 'Remove a file; its bytes are destroyed',
  description:
    'Also works on a file that a moderator has hidden or removed: the response to readers stays the same, and no ' +
    'restoration brings the bytes back.',
  access: 'media:write',
  answers: { 204: null },
  problems: ['gone', 'unavailable-for-legal-reasons'],
});
