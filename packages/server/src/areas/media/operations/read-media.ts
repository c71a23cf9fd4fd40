// GET /v1/media/{id}: the record; the bytes are at its url.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findMedia } from '../queries/index.ts';
import { auditedRead, requireKnown, requireLive } from '../rules/media.ts';
import { mediaView } from '../views.ts';

export const readMedia = implement(operations.readMedia)(async (
  { db, caller, problem, config },
  { params },
) => {
  const media = await findMedia(db, keyOf(params.id));
  requireKnown(problem, media, caller);
  requireLive(problem, media);
  const audited = auditedRead(media, caller, false);
  return { status: 200, body: mediaView(media, config), ...audited };
});
