// Tables for people: columns without borders, cut to the width of the terminal.
import Table from 'cli-table3';
import type { Style } from './style.ts';

interface Heading {
  readonly title: string;
  readonly fixed?: true;
}

interface Place {
  readonly width: number;
  readonly style: Style;
}

const gap = 2;
const least = 12;
/** The library takes time in proportion to the square of rows and columns: it gets a part of a long table at a time. */
const rowsAtOnce = 100;
/** More columns do not fit any terminal. */
const columnsMax = 40;
const wide = /[\u1100-\uffff]/g;
const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle';
const bare = Object.fromEntries(borders.split(' ').map((name) => [name, '']));

/** Returns the columns that a cell takes, at most. */
const columnsOf = (cell = '') => cell.length + (cell.match(wide)?.length ?? 0);

function longest(cells: readonly (string | undefined)[]): number {
  return cells.reduce((most, cell) => Math.max(most, columnsOf(cell)), 0);
}

/** Returns the most columns that a flexible cell gets: short ones leave their part to longer ones. */
function mostOf(wanted: readonly number[], room: number): number {
  let left = room;
  const inOrder = wanted.toSorted((one, other) => one - other);
  for (const [at, one] of inOrder.entries()) {
    const share = Math.floor(left / (inOrder.length - at));
    if (one > share) return Math.max(least, share);
    left -= one;
  }
  return Infinity;
}

/** Returns the widths of columns: flexible ones share what fixed ones leave. */
function widthsOf(headings: readonly Heading[], rows: readonly string[][], width: number) {
  const natural = headings.map(
    ({ title }, at) => longest([title, ...rows.map((row) => row[at])]) + gap,
  );
  const isFixed = (at: number) => headings[at]?.fixed === true;
  const room = natural.reduce((rest, one, at) => (isFixed(at) ? rest - one : rest), width);
  const flexible = natural.filter((_, at) => !isFixed(at));
  const most = mostOf(flexible, room);
  return natural.map((one, at) => (isFixed(at) ? one : Math.min(one, most)));
}

function drawRows(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  const part = new Table({
    chars: bare,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
    colWidths: [...widths],
  });
  part.push(...rows.map((row) => [...row]));
  const lines = part.toString().split('\n');
  return `${lines.map((one) => one.trimEnd()).join('\n')}\n`;
}

/** Returns rows of printable text as a table; an empty text without rows. */
export function table(
  headings: readonly Heading[],
  rows: readonly string[][],
  { width, style }: Place,
): string {
  if (rows.length === 0) return '';
  const titles = headings.map(({ title }) => style('bold', title));
  if (headings.length > columnsMax)
    return [titles, ...rows].map((cells) => `${cells.join(' | ').trimEnd()}\n`).join('');
  const widths = widthsOf(headings, rows, width);
  const parts = Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, at) => {
    const some = rows.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce);
    return drawRows(at === 0 ? [titles, ...some] : some, widths);
  });
  return parts.join('');
}
