// A request that was sent twice: the second one waits for the first.
import { setTimeout as wait } from 'node:timers/promises';
import { isProblem } from '#http';

const waitMs = 100;
const patienceMs = 5_000;

/**
 * Runs `work`; while an earlier request with the same Idempotency-Key runs, waits up to five seconds and tries
 * again. A browser without scripts shows the answer to the second click, not to the first.
 */
export async function once<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isRunning = isProblem(error) && error.problem === 'idempotency-in-progress';
      if (!isRunning || performance.now() > until) throw error;
      await wait(waitMs);
    }
  }
}
