// The unstemmed words of a title, and those of them that typos and beginnings find.
import { createHash } from 'node:crypto';
import { BUCKETS } from '#lib/id';
import { stripDiacritics } from '#lib/slug';
import { lengthOf, wordsOf } from './query-text.ts';
import { nearbyOf } from './spelling.ts';

/** Returns the distinct words of a title in lower case, with and without their marks. */
export function titleWords(title: string): readonly string[] {
  const text = title.toWellFormed();
  return [...new Set([...wordsOf(text), ...wordsOf(stripDiacritics(text))])];
}

/** Returns the number of words in a title: `café`, which `cafe` also matches, counts once. */
export function titleLength(title: string): number {
  return lengthOf(title.toWellFormed());
}

/** Returns the bucket of a word, from the hash of its text. */
export function bucketOfWord(word: string): number {
  return createHash('sha256').update(word).digest().readUInt16BE(0) % BUCKETS;
}

/** Returns the stored form of those words whose length permits a search with typos. */
export function keptWords(words: readonly string[]) {
  return words.flatMap((word) => {
    const nearby = nearbyOf(word);
    return nearby.length === 0 ? [] : [{ bucket: bucketOfWord(word), word, nearby }];
  });
}
