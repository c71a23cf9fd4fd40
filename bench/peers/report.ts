// The figures of the comparison as rows, and as a table in Markdown with a column for each server.
import { roundToThree } from '../parts/figures.ts';
import { jobs } from './jobs.ts';
import type { JobName } from './jobs.ts';
import type { JobFigures } from './side.ts';

export interface Result {
  readonly job: JobName;
  readonly side: string;
  readonly figures: JobFigures;
}

/** In MiB, with what processes share counted once. */
export interface LoadedMemory {
  readonly afterLoadMiB: number;
  /** After the idle minutes that follow the load, if any. */
  readonly afterIdleMiB?: number | undefined;
}

export interface Machine extends LoadedMemory {
  readonly side: string;
  readonly startSeconds: number;
  readonly restMiB: number;
}

const ours = 'Colophon';

/** One row for each job on each server. */
export function rowsOf(results: readonly Result[]) {
  return results.map(({ job, side, figures }) => {
    const own = results.find((one) => one.job === job && one.side === ours)?.figures;
    const ratio =
      own === undefined || side === ours ? undefined : own.perSecond / figures.perSecond;
    return {
      job: jobs[job].title,
      server: side,
      'a second': roundToThree(figures.perSecond),
      'p50 ms': roundToThree(figures.p50),
      'p99 ms': roundToThree(figures.p99),
      'processor ms': roundToThree(figures.processorMs),
      'Colophon is': ratio === undefined ? '' : `${roundToThree(ratio)} ×`,
    };
  });
}

export function machineRows(machines: readonly Machine[]) {
  return machines.map(({ side, startSeconds, restMiB, afterLoadMiB, afterIdleMiB }) => ({
    server: side,
    'start s': roundToThree(startSeconds),
    'memory at rest MiB': Math.round(restMiB),
    'after the load MiB': Math.round(afterLoadMiB),
    ...(afterIdleMiB !== undefined && { 'after idle minutes MiB': Math.round(afterIdleMiB) }),
  }));
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Operations a second, and in parentheses the processor time of one in milliseconds. */
export function markdownOf(results: readonly Result[], machines: readonly Machine[]): string {
  const sides = machines.map(({ side }) => side);
  const cell = (job: string, side: string) => {
    const found = results.find((one) => one.job === job && one.side === side)?.figures;
    if (found === undefined) return '–';
    return `${roundToThree(found.perSecond).toLocaleString('en')} (${roundToThree(found.processorMs)})`;
  };
  const machine = (title: string, value: (one: Machine) => number) =>
    line([title, ...machines.map((one) => value(one).toLocaleString('en'))]);
  return [
    line(['Job', ...sides]),
    line(['---', ...sides.map(() => '--:')]),
    ...[...new Set(results.map(({ job }) => job))].map((job) =>
      line([jobs[job].title, ...sides.map((side) => cell(job, side))]),
    ),
    machine('start to ready, s', ({ startSeconds }) => roundToThree(startSeconds)),
    machine('memory at rest, MiB', ({ restMiB }) => Math.round(restMiB)),
    machine('memory after the load, MiB', ({ afterLoadMiB }) => Math.round(afterLoadMiB)),
    '',
  ].join('\n');
}
