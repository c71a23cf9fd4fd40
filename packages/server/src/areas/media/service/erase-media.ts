// Media that go with an erased article.
import type { Tx } from '#database';
import { releaseStored } from '#http';
import { bytesFreed } from '../outbox.ts';
import { lockOnlyHere, removeHeld } from '../queries/index.ts';
import type { ErasedArticle } from '../queries/index.ts';

/**
 * Erases those of the author's media that an article named and no other one of theirs does. For the
 * transaction that erases the article; what it named must be said, since its texts may be gone by now.
 */
export async function eraseMediaOf(tx: Tx, article: ErasedArticle, now: Date): Promise<number> {
  const { bucket } = article;
  const media = await lockOnlyHere(tx, article);
  if (media.length === 0) return 0;
  const freed = await removeHeld(tx, bucket, media, { now, erase: true });
  releaseStored(tx, bucket, media);
  bytesFreed(tx, bucket, freed, now);
  return media.length;
}

/** Ids that a text could name media by. */
export function mediaIdsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g) ?? [])];
}
