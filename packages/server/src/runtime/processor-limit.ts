// Ends a process that works for too long: by its processor time, so that a busy machine ends none that only waits.
import type { ChildProcess } from 'node:child_process';
import { processFields } from './process-fields.ts';

/** Ticks of a second in /proc: a constant of Linux for programs. */
const ticksPerSecond = 100;
const lookMs = 200;

/** Returns the processor time of a process in milliseconds; undefined if there is none, or on a system without /proc. */
function processorMsOf(pid: number): number | undefined {
  const fields = processFields(pid);
  const ticks = Number(fields?.[11]) + Number(fields?.[12]);
  return Number.isNaN(ticks) ? undefined : (ticks / ticksPerSecond) * 1000;
}

export interface ProcessorLimits {
  /** Milliseconds of processor time from now on. On systems without /proc, of time. */
  readonly workMs: number;
  /** Milliseconds of time from now on: for a process that hangs or waits for its input for ever. */
  readonly longestMs: number;
}

export interface ProcessorWatch {
  /** Why the process was ended here: it worked for too long, or took too long altogether. */
  excess(): 'work' | 'time' | undefined;
  stop(): void;
}

/** Ends a process with SIGKILL once it exceeds a limit, until the watch is stopped. */
export function limitProcessor(
  child: Pick<ChildProcess, 'pid' | 'kill'>,
  { workMs, longestMs }: ProcessorLimits,
): ProcessorWatch {
  const { pid = 0 } = child;
  const began = performance.now();
  const before = processorMsOf(pid) ?? 0;
  let excess: 'work' | 'time' | undefined;
  const look = () => {
    const elapsed = performance.now() - began;
    const used = processorMsOf(pid);
    const worked = used === undefined ? elapsed : used - before;
    if (worked > workMs) excess = 'work';
    else if (elapsed > longestMs) excess = 'time';
    else return;
    clearInterval(timer);
    child.kill('SIGKILL');
  };
  const timer = setInterval(look, lookMs).unref();
  return { excess: () => excess, stop: () => clearInterval(timer) };
}
