// Words with a typo: which words of titles are one edit away. By deletions, so that an index finds them.

const shortest = 3;
const longest = 24;
const mostOffered = 5;

/** FNV-1a over UTF-16 code units, as a signed 32-bit integer: the index holds numbers, not words. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}

/**
 * Numbers of a word and of what is left of it when one character goes. Two words that are one edit away
 * from each other (a character too many, too few, another, or two swapped) have one in common. Empty for
 * words that are too short to be told from others, or too long.
 */
export function nearbyOf(word: string): readonly number[] {
  if (!mayHaveTypo(word)) return [];
  const characters = [...word];
  const shorter = characters.map((_, index) => characters.toSpliced(index, 1).join(''));
  return [...new Set([word, ...shorter].map(hashOf))];
}

/** Whether a word is of a length at which a typo is allowed for. */
export function mayHaveTypo(word: string): boolean {
  if (word.length > 2 * longest) return false;
  const { length } = [...word];
  return length >= shortest && length <= longest;
}

/** How many characters two words have in common at their beginning. */
function commonStart(left: readonly string[], right: readonly string[]): number {
  const differs = left.findIndex((character, index) => character !== right[index]);
  return differs < 0 ? left.length : differs;
}

/** Whether one edit makes one word of the other; two neighbours that are swapped are one edit. */
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

/** What to try in place of a word, from words that share a number with it: those with its first letter first. */
export function correctionsOf(word: string, found: readonly string[]): readonly string[] {
  const near = found.filter((other) => isOneEditAway(word, other));
  const rank = (other: string) => (other.charAt(0) === word.charAt(0) ? 0 : 1);
  return near.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, mostOffered);
}

const shortestBeginning = 3;
const mostCompletions = 16;

/** Whether a word that was typed last is long enough to look for words that it begins. */
export function mayBeginWords(word: string): boolean {
  return [...word].length >= shortestBeginning;
}

/** What a word may be the beginning of: the shortest first, which are the nearest. */
export function completionsOf(word: string, found: readonly string[]): readonly string[] {
  return found
    .filter((other) => other !== word && other.startsWith(word))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, mostCompletions);
}
