// Media: reserving a record, uploading its bytes, reading, describing and removing it.
import Type from 'typebox';
import {
  closed,
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

const AltText = text(0, limits.alt_text_max, 'what somebody who cannot see or hear it should know');

/** The record of a file. The bytes are at `url` once the file is ready. */
export const MediaRecord = closed({
  id: Id,
  owner_principal_id: Id,
  status: MediaStatus,
  kind: MediaKind,
  content_type: nullable(oneOf(mediaTypes, 'determined from the bytes')),
  byte_size: nullable(Type.Integer()),
  checksum_sha256: nullable(Type.String({ description: 'of the bytes, in hexadecimal digits' })),
  alt_text: nullable(Type.String()),
  source: MediaSource,
  url: nullable(Type.String({ description: 'the bytes, as long as everybody may see them' })),
  upload_url: nullable(Type.String({ description: 'where to PUT the bytes, while pending' })),
  created_at: Timestamp,
  finalized_at: nullable(Timestamp),
  rejection_reason: Type.Optional(Type.String({ description: 'of a rejected record' })),
  moderation: Type.Optional(nullable(Moderation)),
  trust: Trust,
});

export const createMedia = operation('createMedia', {
  method: 'POST',
  path: '/v1/media',
  summary: 'Reserve a record for a file, to be uploaded to its upload_url',
  description:
    `PUT the bytes to \`upload_url\` within ${limits.media_pending_hours} hours. ` +
    '`kind` must fit what will be uploaded.',
  access: 'media:write',
  body: closed({
    kind: MediaKind,
    alt_text: Type.Optional(nullable(AltText)),
    source: Type.Optional(MediaSource),
    generation_metadata: Type.Optional(nullable(FreeObject)),
  }),
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
    'The type is determined from the bytes; the Content-Type of the request decides nothing. The answer ' +
    'says `ready`, or `rejected` and why. A transfer that breaks off leaves the record pending: send all ' +
    `of it again. Types: ${mediaTypes.join(', ')}.`,
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
    'Everybody sees what is ready. A record before that is for its owner, with `media:write`, and for ' +
    'moderators; one that a moderator has hidden for them and the owner of an agent, with `moderation`.',
  access: 'public',
  answers: { 200: MediaRecord },
  problems: ['gone', 'unavailable-for-legal-reasons'],
});

export const readMediaContent = operation('readMediaContent', {
  method: 'GET',
  path: '/v1/media/{id}/content',
  summary: 'Read the bytes of a file, also where not everybody may',
  description:
    'What is ready is at `url` for everybody. Here, whoever reads the record of a hidden file reads its ' +
    'bytes; moderators also those that a moderator removed. Nothing is kept by caches.',
  access: 'token',
  query: {
    w: Type.Optional(
      Type.Unsafe<(typeof mediaWidths)[number]>({
        type: 'integer',
        enum: [...mediaWidths],
        description: 'width of the variant of an image; left out: the original',
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
  summary: 'Change the alternative text; null takes it away',
  access: 'media:write',
  body: closed({ alt_text: Type.Optional(nullable(AltText)) }),
  answers: { 200: MediaRecord },
  problems: ['gone', 'unavailable-for-legal-reasons'],
});

export const deleteMedia = operation('deleteMedia', {
  method: 'DELETE',
  path: '/v1/media/{id}',
  summary: 'Remove a file; its bytes are destroyed',
  description:
    'Also one that a moderator has hidden or removed: what readers are answered stays, and no ' +
    'restoration brings the bytes back.',
  access: 'media:write',
  answers: { 204: null },
  problems: ['gone', 'unavailable-for-legal-reasons'],
});
