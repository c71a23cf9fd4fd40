// Finds the words that differ between a line and the line that replaced it.
import { diffArrays } from 'diff';
import { wordPieces } from './lib/word-pieces.ts';

/** A run of words of a line; `changed` words are in one of the two lines only. */
export interface Words {
  readonly text: string;
  readonly changed: boolean;
}

export interface ChangedLine {
  readonly from: readonly Words[];
  readonly to: readonly Words[];
}

export interface WordBounds {
  /** UTF-16 units of a line; longer ones are shown as a whole. */
  readonly line: number;
  /** The work grows with this number and the length of the lines. */
  readonly edits: number;
}

/** Counts comparisons of words down, so that the work on all lines together has a limit on any machine. */
export interface Effort {
  comparisons: number;
}

/** Less than a millisecond. */
const shortBounds: WordBounds = { line: 2_000, edits: 120 };
/** Lines that share less than this part of their letters are different lines, not one that was changed. */
const sharedLeast = 0.3;
/** Thrown from inside the library, which has no limit of this kind. */
const spent = new Error('The comparison exceeded its limit.');

function lengthOf(words: Iterable<string>): number {
  let length = 0;
  for (const word of words) length += word.trim().length;
  return length;
}

/** Returns how many letters the lines share in any order: at least as many as in the same order. */
function sharedAtMost(from: readonly string[], to: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of from) left.set(word, (left.get(word) ?? 0) + 1);
  return lengthOf(
    to.filter((word) => {
      const count = left.get(word) ?? 0;
      if (count > 0) left.set(word, count - 1);
      return count > 0;
    }),
  );
}

/** Returns the changes between the words; undefined beyond a limit. */
function changesOf(
  from: readonly string[],
  to: readonly string[],
  { edits, effort }: { readonly edits: number; readonly effort: Effort },
) {
  const comparator = (one: string, other: string): boolean => {
    if (effort.comparisons === 0) throw spent;
    effort.comparisons -= 1;
    return one === other;
  };
  try {
    return diffArrays<string>([...from], [...to], { maxEditLength: edits, comparator });
  } catch (error) {
    if (error === spent) return undefined;
    throw error;
  }
}

/**
 * Returns both lines as runs of words; undefined when they are too long or have too little in common, so that
 * marking words would not help, and when the effort is spent.
 */
export function changedWords(
  from: string,
  to: string,
  bounds: WordBounds = shortBounds,
  effort: Effort = { comparisons: Infinity },
): ChangedLine | undefined {
  if (Math.max(from.length, to.length) > bounds.line) return undefined;
  const [before, after] = [wordPieces(from), wordPieces(to)];
  const least = sharedLeast * Math.max(lengthOf(before), lengthOf(after));
  if (sharedAtMost(before, after) < least) return undefined;
  const changes = changesOf(before, after, { edits: bounds.edits, effort });
  if (changes === undefined) return undefined;
  const isKept = (change: (typeof changes)[number]) => !change.added && !change.removed;
  if (lengthOf(changes.filter(isKept).flatMap(({ value }) => value)) < least) return undefined;
  const runs = changes.map((change) => ({
    text: change.value.join(''),
    added: change.added,
    removed: change.removed,
    changed: !isKept(change),
  }));
  return {
    from: runs.filter(({ added }) => !added).map(({ text, changed }) => ({ text, changed })),
    to: runs.filter(({ removed }) => !removed).map(({ text, changed }) => ({ text, changed })),
  };
}
