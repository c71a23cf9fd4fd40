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
const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle';
const bare = Object.fromEntries(borders.split(' ').map((name) => [name, '']));

/** Returns the widths of columns: flexible ones share what fixed ones leave. */
function widthsOf(headings: readonly Heading[], rows: readonly string[][], width: number) {
  const natural = headings.map(
    ({ title }, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)) + gap,
  );
  const over = natural.reduce((sum, one) => sum + one, 0) - width;
  if (over <= 0) return undefined;
  const flexible = natural.filter((_, at) => headings[at]?.fixed !== true);
  const share = flexible.reduce((sum, one) => sum + one, 0);
  return natural.map((one, at) =>
    headings[at]?.fixed ? one : Math.max(least, Math.floor(one - (over * one) / share)),
  );
}

/** Returns rows of printable text as a table; an empty text without rows. */
export function table(
  headings: readonly Heading[],
  rows: readonly string[][],
  { width, style }: Place,
): string {
  if (rows.length === 0) return '';
  const colWidths = widthsOf(headings, rows, width);
  const drawn = new Table({
    head: headings.map(({ title }) => style('bold', title)),
    chars: bare,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
    ...(colWidths === undefined ? {} : { colWidths: [...colWidths] }),
  });
  drawn.push(...rows);
  const lines = drawn.toString().split('\n');
  return `${lines.map((one) => one.trimEnd()).join('\n')}\n`;
}
