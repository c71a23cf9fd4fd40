// Words of titles, and typos in them: words that are one edit away share a number, so that an index finds them.
import { createHash } from 'node:crypto';
import { BUCKETS } from '#lib/id';
import { stripDiacritics } from '#lib/slug';
import { lengthOf, wordsOf } from './parse-query.ts';

const shortest = 3;
const longest = 24;
const mostOffered = 5;

/** FNV-1a over UTF-16 code units, as a signed 32-bit integer: the index contains numbers, not words. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}

/**
 * Returns numbers of a word and of all its variants without one character. Two words that are one edit
 * apart (a character added, removed, replaced, or two swapped) share a number. Empty for words that are too
 * short to distinguish, or too long.
 */
export function nearbyOf(word: string): readonly number[] {
  if (!mayHaveTypo(word)) return [];
  const characters = [...word];
  const shorter = characters.map((_, index) => characters.toSpliced(index, 1).join(''));
  return [...new Set([word, ...shorter].map(hashOf))];
}

/** Returns whether a word has a length for which typos are allowed. */
export function mayHaveTypo(word: string): boolean {
  if (word.length > 2 * longest) return false;
  const { length } = [...word];
  return length >= shortest && length <= longest;
}

/** Returns the number of characters that two words share at their beginning. */
function commonStart(left: readonly string[], right: readonly string[]): number {
  const differs = left.findIndex((character, index) => character !== right[index]);
  return differs < 0 ? left.length : differs;
}

/** Returns whether two words are at most one edit apart; swapping two neighbours is one edit. */
export function isOneEditAway(left: string, right: string): boolean {
  // In UTF-16 a character is one or two units.
  if (Math.abs(left.length - right.length) > 2) return false;
  const [a, b] = [[...left], [...right]];
  const start = commonStart(a, b);
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)];
  const most = Math.min(restOfA.length, restOfB.length);
  const end = Math.min(most, commonStart(restOfA.toReversed(), restOfB.toReversed()));
  const x = restOfA.slice(0, restOfA.length - end);
  const y = restOfB.slice(0, restOfB.length - end);
  const longer = Math.max(x.length, y.length);
  return longer === 1 || (longer === 2 && x.join('') === y.toReversed().join(''));
}

/**
 * Returns corrections of a word, from words that share a number with it: those with its first letter first.
 */
export function correctionsOf(word: string, found: readonly string[]): readonly string[] {
  const near = found.filter((other) => isOneEditAway(word, other));
  const rank = (other: string) => (other.charAt(0) === word.charAt(0) ? 0 : 1);
  return near.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, mostOffered);
}

const shortestBeginning = 3;
const mostCompletions = 16;

/** Returns whether the last word is long enough to search for words that begin with it. */
export function mayBeginWords(word: string): boolean {
  return [...word].length >= shortestBeginning;
}

/** Returns completions of a word, the shortest first, because they are the closest. */
export function completionsOf(word: string, found: readonly string[]): readonly string[] {
  return found
    .filter((other) => other !== word && other.startsWith(word))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, mostCompletions);
}

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
export function wordRows(words: readonly string[]) {
  return words.flatMap((word) => {
    const nearby = nearbyOf(word);
    return nearby.length === 0 ? [] : [{ bucket: bucketOfWord(word), word, nearby }];
  });
}
