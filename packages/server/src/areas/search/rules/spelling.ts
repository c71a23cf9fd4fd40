// Typos: finds words of titles that are one edit away. By deletions, so that an index can find them.

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
