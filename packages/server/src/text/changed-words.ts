// Finds the words that differ between a line and the line that replaced it.
import { diffArrays } from 'diff';

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

/** Less than a millisecond. */
const shortBounds: WordBounds = { line: 2_000, edits: 120 };
/** Lines that share less than this part of their words are different lines, not one that was changed. */
const sharedLeast = 0.3;

/** Letters and digits; each character of scripts without spaces; runs of blanks; any other character. */
const pieces =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{M}\p{N}])+|\s+|[^]/gu;

/**
 * Returns both lines as runs of words; undefined when they are too long or have too little in common, so that
 * marking words would not help.
 */
export function changedWords(
  from: string,
  to: string,
  bounds: WordBounds = shortBounds,
): ChangedLine | undefined {
  if (Math.max(from.length, to.length) > bounds.line) return undefined;
  const parts = [from.match(pieces) ?? [], to.match(pieces) ?? []] as const;
  const changes = diffArrays<string>([...parts[0]], [...parts[1]], { maxEditLength: bounds.edits });
  if (changes === undefined) return undefined;
  const runs = changes.map(({ value, added, removed }) => ({
    text: value.join(''),
    added,
    removed,
    changed: added || removed,
  }));
  const shared = runs.reduce(
    (sum, { text, changed }) => sum + (changed ? 0 : text.trim().length),
    0,
  );
  if (shared < sharedLeast * Math.max(from.length, to.length)) return undefined;
  return {
    from: runs.filter(({ added }) => !added).map(({ text, changed }) => ({ text, changed })),
    to: runs.filter(({ removed }) => !removed).map(({ text, changed }) => ({ text, changed })),
  };
}
