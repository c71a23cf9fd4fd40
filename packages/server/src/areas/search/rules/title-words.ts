// The words that a title is found by as they are, and those of them that typos and beginnings lead to.
import { createHash } from 'node:crypto';
import { BUCKETS } from '#lib/id';
import { stripDiacritics } from '#lib/slug';
import { lengthOf, wordsOf } from './query-text.ts';
import { nearbyOf } from './spelling.ts';

/** Every word of a title in lower case, and without its marks, each once. */
export function titleWords(title: string): readonly string[] {
  const text = title.toWellFormed();
  return [...new Set([...wordsOf(text), ...wordsOf(stripDiacritics(text))])];
}

/** How many words a title has to be full of: `café`, which is found by `cafe` too, is one. */
export function titleLength(title: string): number {
  return lengthOf(title.toWellFormed());
}

/** The bucket that a word lives in: of the hash of its text. */
export function bucketOfWord(word: string): number {
  return createHash('sha256').update(word).digest().readUInt16BE(0) % BUCKETS;
}

/** Those words that are long enough to be told from others with a typo, as they are kept. */
export function keptWords(words: readonly string[]) {
  return words.flatMap((word) => {
    const nearby = nearbyOf(word);
    return nearby.length === 0 ? [] : [{ bucket: bucketOfWord(word), word, nearby }];
  });
}
