// Measures how the work on a text grows with its length, in processor time of this thread.
import process from 'node:process';

/** UTF-16 units. Texts are screened at the first length; those that take long are measured at the others. */
const screened = 2_048;
/** The first length only ends what would take minutes at the second: short work is too uneven to be judged. */
const measuredAt = [
  { length: 16_384, harmlessMs: 50 },
  { length: 65_536, harmlessMs: 20 },
];
/** Milliseconds. What takes less is not quadratic on any machine: the cheapest quadratic work takes three times as long. */
const screenedMs = 0.02;
/** Milliseconds at the same length: quadratic work takes a few, cubic work hundreds. */
const cubicMs = 50;
/** Exponential and cubic work would not end at the lengths above: units are added until it takes so long. */
const units = [8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 96, 256, 512];
/** UTF-16 units, and milliseconds. Linear work takes microseconds. */
const endless = { length: 512, ms: 5 } as const;
/** On a text four times as long, linear work takes 4 times as long, quadratic work 16 times. */
const growthMax = 8;
/** Milliseconds. No linear work takes so long at either length, however unevenly it was measured. */
const hopelessMs = 2_000;
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
function pumpText({ prefix, unit, tail }: Pump, length: number): string {
  const room = Math.max(0, length - prefix.length - tail.length);
  return prefix + unit.repeat(Math.floor(room / unit.length)) + tail;
}

/** The clock of the processor may tick in steps of 4 ms: work that is shorter is repeated. */
function processorMs(work: Work, text: string, times = 1): number {
  const before = process.threadCpuUsage();
  for (let n = 0; n < times; n += 1) work(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / times;
}

/** Whatever else this machine does may slow one measurement down: what grows too fast does so each time. */
function growsTooFast(work: Work, pump: Pump): boolean {
  return measuredAt.some(({ length, harmlessMs }) => {
    for (let n = 0; n < tries; n += 1) {
      const whole = processorMs(work, pumpText(pump, length));
      if (whole <= harmlessMs) return false;
      if (whole >= hopelessMs) return true;
      if (whole / processorMs(work, pumpText(pump, length / 4), 4) <= growthMax) return false;
    }
    return true;
  });
}

/** Milliseconds on the clock; undefined as soon as one of several tries takes less than `screenedMs`. */
function slowMs(work: Work, text: string): number | undefined {
  let least = Infinity;
  for (let n = 0; n < tries; n += 1) {
    const began = performance.now();
    work(text);
    least = Math.min(least, performance.now() - began);
    if (least < screenedMs) return undefined;
  }
  return least;
}

/** Whether the work takes long each time on a text so short that it cannot. */
function isEndless(work: Work, { prefix, unit, tail }: Pump): boolean {
  return units.some((count) => {
    if (unit.length * count > endless.length) return false;
    const text = prefix + unit.repeat(count) + tail;
    const began = performance.now();
    work(text);
    if (performance.now() - began < endless.ms) return false;
    for (let n = 1; n < tries; n += 1) if (processorMs(work, text) < endless.ms) return false;
    return true;
  });
}

/** A pump on which the work grows faster than the text. undefined: there is none among these. */
export function superlinear(work: Work, pumps: Iterable<Pump>): Pump | undefined {
  const suspects: { readonly pump: Pump; readonly ms: number }[] = [];
  for (const pump of pumps) {
    if (isEndless(work, pump)) return pump;
    const ms = slowMs(work, pumpText(pump, screened));
    // Cubic work would take minutes at the other lengths.
    if (ms !== undefined && ms >= cubicMs) return pump;
    if (ms !== undefined) suspects.push({ pump, ms });
  }
  return suspects
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, measured)
    .map(({ pump }) => pump)
    .find((pump) => growsTooFast(work, pump));
}
