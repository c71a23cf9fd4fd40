// PATCH /v1/media/{id}: changes the alternative text.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { lockMedia, setAltText } from '../queries/index.ts';
import { requireKnown, requireLive, requireOwner } from '../rules/media.ts';
import { mediaView } from '../views.ts';

export const updateMedia = implement(operations.updateMedia)(async (
  { tx, caller, problem, config },
  { params, body },
) => {
  const key = keyOf(params.id);
  const media = await lockMedia(tx, key);
  requireKnown(problem, media, caller);
  requireOwner(problem, media, caller);
  requireLive(problem, media);
  const { alt_text: altText } = body;
  if (altText === undefined) return { status: 200, body: mediaView(media, config) };
  void setAltText(tx, key, altText);
  return { status: 200, body: mediaView({ ...media, alt_text: altText }, config) };
});
