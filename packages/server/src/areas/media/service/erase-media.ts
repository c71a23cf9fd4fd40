// Erases the media of an erased article.
import type { Tx } from '#database';
import { eraseStoredDescriptions, releaseStored } from '#http';
import { bytesFreed } from '#outbox';
import { lockOnlyHere, setMediaRemoved } from '../queries/index.ts';
import type { ErasedArticle } from '../queries/index.ts';

/**
 * Erases the author's media that this article named and no other article of the bucket does; returns how
 * many. Call it in the transaction that erases the article, with the ids that the article named, because its
 * texts may be deleted by now.
 */
export async function eraseMediaOf(tx: Tx, article: ErasedArticle, now: Date): Promise<number> {
  const { bucket, authorId } = article;
  const media = await lockOnlyHere(tx, article);
  if (media.length === 0) return 0;
  const ids = media.map(({ id }) => id);
  void eraseStoredDescriptions(tx, { bucket, id: authorId }, ids);
  const freed = await setMediaRemoved(tx, bucket, media, { now, erase: true });
  releaseStored(tx, bucket, media);
  bytesFreed(tx, bucket, freed, now);
  return media.length;
}

/** Returns everything in a text that has the form of a media id. */
export function mediaIdsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g) ?? [])];
}
