// Medians and ratios of measurements, printed as a table for people and as JSON for programs.
import { cpus } from 'node:os';
import { noise, quiet } from './quiet.ts';

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low, high] = [
    sorted[Math.ceil(middle) - 1] ?? Number.NaN,
    sorted[Math.floor(middle)] ?? Number.NaN,
  ];
  return (low + high) / 2;
}

/** Rounds to three significant digits. */
export function roundToThree(number: number): number {
  return Number(number.toPrecision(3));
}

/**
 * Measures the sides in turn, A B A B, so that a temporary slowdown of the machine affects all of them.
 * Returns what each measurement returned, by the names of the sides.
 */
export async function inTurn<Side extends string, Figures>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<Figures>>>,
): Promise<Map<Side, Figures[]>> {
  const names = Object.keys(sides) as Side[];
  const seen = new Map<Side, Figures[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      await quiet();
      seen.get(name)?.push(await sides[name]());
    }
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return seen;
}

/** Measures the sides in turn. Each returns one number; returns the medians by the names of the sides. */
export async function alternate<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<number>>>,
): Promise<Record<Side, number>> {
  const runs = await inTurn(rounds, sides);
  const medians = [...runs].map(([name, numbers]) => [name, median(numbers)]);
  return Object.fromEntries(medians) as Record<Side, number>;
}

export type Row = Readonly<Record<string, string | number>>;

/** Prints the rows as a table, then one line of JSON with all figures. */
export function show(
  benchmark: string,
  rows: readonly Row[],
  more: Readonly<Record<string, unknown>> = {},
): void {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  );
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |\n`;
  const [head = [], ...body] = cells;
  process.stdout.write(
    line(head) + line(widths.map((width) => '-'.repeat(width))) + body.map(line).join(''),
  );
  const machine = { cores: cpus().length, node: process.version, noisy_rounds: noise.rounds };
  process.stdout.write(`${JSON.stringify({ benchmark, machine, rows, ...more })}\n`);
}
