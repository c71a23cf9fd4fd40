// The worker side of word comparison: finds in hunks which line replaced which, and the words that differ.
import { worker } from './lib/worker.ts';
import { changedWords } from './changed-words.ts';
import type { WordBounds, Words } from './changed-words.ts';
import type { Hunk, Line } from './diff-lines.ts';

/** A line with its counterpart in the other text. */
export interface MarkedLine extends Line {
  /** The position in the hunk of the line that replaced this one, or that it replaced. */
  readonly pair?: number;
  /** The words of the line; those of a pair that differ are marked. */
  readonly words?: readonly Words[];
}

export interface MarkedHunk extends Omit<Hunk, 'lines'> {
  readonly lines: readonly MarkedLine[];
}

export interface MarkBounds extends WordBounds {
  /** Pairs of lines that are compared. */
  readonly pairs: number;
  /** Comparisons of words, in all pairs together: about 7,500 a millisecond. */
  readonly comparisons: number;
  readonly milliseconds: number;
}

export interface MarkTask {
  readonly hunks: readonly Hunk[];
  readonly bounds: MarkBounds;
}

/** A line is compared with this many lines of the other text: lines may have been inserted before it. */
const reach = 3;

function runLength(lines: readonly Line[], from: number, op: Line['op']): number {
  let length = 0;
  while (lines[from + length]?.op === op) length += 1;
  return length;
}

/** Returns a function that compares two lines until the bounds are reached; undefined from then on. */
function wordComparer({ pairs, comparisons, milliseconds, ...words }: MarkBounds) {
  const effort = { comparisons };
  const until = performance.now() + milliseconds;
  let left = pairs;
  return (from: Line, to: Line) => {
    if (left === 0 || effort.comparisons === 0 || performance.now() > until) return undefined;
    left -= 1;
    return changedWords(from.text, to.text, words, effort);
  };
}

type Compare = ReturnType<typeof wordComparer>;

/** Marks the pairs of one run of removed lines, and the run of added lines that follows it. */
function markRun(
  lines: MarkedLine[],
  { at, removed, added }: { readonly at: number; readonly removed: number; readonly added: number },
  compare: Compare,
): void {
  const end = at + removed + added;
  let next = at + removed;
  for (let index = at; index < at + removed; index += 1) {
    for (let other = next; other < Math.min(end, next + reach); other += 1) {
      const [from, to] = [lines[index], lines[other]];
      const found = from && to && compare(from, to);
      if (!found) continue;
      lines[index] = { ...from, pair: other, words: found.from };
      lines[other] = { ...to, pair: index, words: found.to };
      next = other + 1;
      break;
    }
  }
}

function markHunk({ lines: given, ...hunk }: Hunk, compare: Compare): MarkedHunk {
  const lines: MarkedLine[] = [...given];
  for (let at = 0; at < lines.length; at += 1) {
    const removed = runLength(lines, at, 'remove');
    const added = runLength(lines, at + removed, 'add');
    if (removed > 0 && added > 0) markRun(lines, { at, removed, added }, compare);
    at += Math.max(0, removed + added - 1);
  }
  return { ...hunk, lines };
}

/** Returns the hunks with their pairs of lines and the words that differ in these. */
export function markWords({ hunks, bounds }: MarkTask): readonly MarkedHunk[] {
  const compare = wordComparer(bounds);
  return hunks.map((hunk) => markHunk(hunk, compare));
}

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker(markWords);
