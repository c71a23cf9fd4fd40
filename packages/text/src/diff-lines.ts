// The worker side of line diffs: compares two texts line by line and returns hunks.
import { diffArrays } from 'diff';
import { worker } from './lib/worker.ts';

export interface Line {
  readonly op: 'keep' | 'remove' | 'add';
  /** Includes the line break, so that the lines of a text joined together are the text. */
  readonly text: string;
}

export interface Hunk {
  /** The number of the first line, from 1; where the count is 0, the number of the line that would follow. */
  readonly from_line: number;
  readonly from_count: number;
  readonly to_line: number;
  readonly to_count: number;
  readonly lines: Line[];
}

export interface Bounds {
  /**
   * The maximum number of edits between the lines that occur in both texts; the work grows with its square.
   */
  readonly edits: number;
  /** The maximum number of lines in all hunks together. */
  readonly lines: number;
  /** The maximum duration of the work. */
  readonly milliseconds: number;
}

/** Comparisons of lines between two checks of the clock: about 0.1 ms. */
const comparisons = 4_096;

/** Thrown from inside the library, which checks the clock only after each length of the edit script. */
const late = new Error('The comparison exceeded its time limit.');

/** Returns a comparison of lines that throws when the time is over. @throws late */
function lineComparer(until: number) {
  let left = comparisons;
  return (one: string | undefined, other: string | undefined): boolean => {
    left -= 1;
    if (left === 0) {
      if (performance.now() > until) throw late;
      left = comparisons;
    }
    return one === other;
  };
}

/** Unchanged lines around a change. */
const context = 3;

function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** Returns the positions of the lines that the other text contains too: only these can be unchanged. */
function common(lines: readonly string[], other: readonly string[]): number[] {
  const there = new Set(other);
  const positions: number[] = [];
  for (const [index, line] of lines.entries()) if (there.has(line)) positions.push(index);
  return positions;
}

/**
 * Returns pairs of positions of the unchanged lines; undefined when there are too many edits. @throws late
 */
function keptLines(
  from: readonly string[],
  to: readonly string[],
  { edits, until }: { readonly edits: number; readonly until: number },
): [number, number][] | undefined {
  const [left, right] = [common(from, to), common(to, from)];
  const changes = diffArrays(
    left.map((index) => from[index]),
    right.map((index) => to[index]),
    { maxEditLength: edits, comparator: lineComparer(until), timeout: until - performance.now() },
  );
  if (changes === undefined) return undefined;
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  for (const { added, removed, count } of changes) {
    if (removed) i += count;
    else if (added) j += count;
    else for (let n = 0; n < count; n += 1) pairs.push([left[i++] ?? 0, right[j++] ?? 0]);
  }
  return pairs;
}

/** A run of changes: half-open ranges of both texts, in order. */
interface Change {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

function changesOf(
  pairs: readonly (readonly [number, number])[],
  end: readonly [number, number],
): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  for (const [keptFrom, keptTo] of [...pairs, end]) {
    if (keptFrom > i || keptTo > j) changes.push({ from: [i, keptFrom], to: [j, keptTo] });
    [i, j] = [keptFrom + 1, keptTo + 1];
  }
  return changes;
}

/** Groups changes whose contexts would touch. */
function groupChanges(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.from[0] - last.from[1] <= 2 * context)
      groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(group: readonly Change[], from: readonly string[], to: readonly string[]): Hunk {
  const [first, last] = [group[0], group.at(-1)];
  const start = Math.max((first?.from[0] ?? 0) - context, 0);
  const end = Math.min((last?.from[1] ?? 0) + context, from.length);
  const lines: Line[] = [];
  const put = (op: Line['op'], texts: readonly string[]) => {
    for (const text of texts) lines.push({ op, text });
  };
  let at = start;
  for (const change of group) {
    put('keep', from.slice(at, change.from[0]));
    put('remove', from.slice(...change.from));
    put('add', to.slice(...change.to));
    at = change.from[1];
  }
  put('keep', from.slice(at, end));
  return {
    from_line: start + 1,
    from_count: lines.filter(({ op }) => op !== 'add').length,
    to_line: (first?.to[0] ?? 0) - ((first?.from[0] ?? 0) - start) + 1,
    to_count: lines.filter(({ op }) => op !== 'remove').length,
    lines,
  };
}

/** Returns the hunks from one text to another; undefined when they exceed the limits. @throws late */
function hunksOf(from: string, to: string, bounds: Bounds, until: number): Hunk[] | undefined {
  const [before, after] = [linesOf(from), linesOf(to)];
  const pairs = keptLines(before, after, { edits: bounds.edits, until });
  if (pairs === undefined) return undefined;
  const changes = changesOf(pairs, [before.length, after.length]);
  const changed = changes.reduce(
    (sum, { from: one, to: other }) => sum + one[1] - one[0] + other[1] - other[0],
    0,
  );
  if (changed + 2 * context * changes.length > bounds.lines) return undefined;
  return groupChanges(changes).map((group) => hunkOf(group, before, after));
}

/** Returns the hunks from one text to another; undefined when that exceeds the limits of work or lines. */
export function diffLines(from: string, to: string, bounds: Bounds): Hunk[] | undefined {
  try {
    return hunksOf(from, to, bounds, performance.now() + bounds.milliseconds);
  } catch (error) {
    if (error === late) return undefined;
    throw error;
  }
}

export interface DiffTask {
  /** Identifies the two texts. */
  readonly pair: string;
  readonly from: string;
  readonly to: string;
  readonly bounds: Bounds;
}

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker(({ from, to, bounds }: DiffTask): Hunk[] | undefined =>
  diffLines(from, to, bounds),
);
