// Waits until the machine is nearly idle, so that other load does not distort a figure.
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const sampleMs = 400;
const busyMax = 0.15;

function times() {
  const all = cpus().map((cpu) => cpu.times);
  const idle = all.reduce((sum, one) => sum + one.idle, 0);
  return {
    idle,
    total: all.reduce((sum, one) => sum + one.idle + one.user + one.nice + one.sys + one.irq, 0),
  };
}

/** Returns the share of the processors in use now, 0 to 1. */
async function busyShare(): Promise<number> {
  const before = times();
  await wait(sampleMs);
  const after = times();
  return 1 - (after.idle - before.idle) / Math.max(1, after.total - before.total);
}

/** The number of rounds that began although the machine was still busy. */
export const noise = { rounds: 0 };

/** Waits until the machine is quiet, `patienceSeconds` at most. */
export async function quiet(patienceSeconds = 5): Promise<void> {
  const until = performance.now() + patienceSeconds * 1000;
  for (;;) {
    if ((await busyShare()) < busyMax) return;
    if (performance.now() > until) {
      noise.rounds += 1;
      return;
    }
  }
}
