// Measures how the work on a text grows with its length, in processor time of this thread.
import process from 'node:process';

/** UTF-16 units. Texts are screened at the first length; those that take long are measured at the others. */
const lengths = { screened: 2_048, half: 16_384, whole: 65_536 } as const;
/** Milliseconds. Linear work takes a fraction of it, and quadratic work ten times as long. */
const screenedMs = 0.5;
/** Work that is done sooner is no danger, however it grows. */
const harmlessMs = 20;
/** From the half to the whole length linear work takes 4 times as long, quadratic work 16 times. */
const growthMax = 8;
const tries = 4;
/** The texts of one piece of work that are measured at their whole length: those that took longest. */
const measured = 4;

export interface Pump {
  readonly prefix: string;
  readonly unit: string;
  readonly tail: string;
}

type Work = (text: string) => unknown;

/** A text of that length at most: the prefix, as many units as there is room for, the tail. */
function pumped({ prefix, unit, tail }: Pump, length: number): string {
  const room = Math.max(0, length - prefix.length - tail.length);
  return prefix + unit.repeat(Math.floor(room / unit.length)) + tail;
}

function processorMs(work: Work, text: string): number {
  const before = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Whatever else this machine does may slow one measurement down: what grows too fast does so each time. */
function isLinear(work: Work, pump: Pump): boolean {
  for (let n = 0; n < tries; n += 1) {
    const whole = processorMs(work, pumped(pump, lengths.whole));
    if (whole <= harmlessMs) return true;
    if (whole / processorMs(work, pumped(pump, lengths.half)) <= growthMax) return true;
  }
  return false;
}

/** The pumps on which the work grows faster than the text. */
export function superlinear(work: Work, pumps: Iterable<Pump>): Pump[] {
  const suspects: { readonly pump: Pump; readonly ms: number }[] = [];
  for (const pump of pumps) {
    const text = pumped(pump, lengths.screened);
    const began = performance.now();
    work(text);
    // The clock is cheap to ask; where it says that it took long, the processor is asked.
    if (performance.now() - began < screenedMs) continue;
    const ms = processorMs(work, text);
    if (ms >= screenedMs) suspects.push({ pump, ms });
  }
  return suspects
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, measured)
    .map(({ pump }) => pump)
    .filter((pump) => !isLinear(work, pump));
}
