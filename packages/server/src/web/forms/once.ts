// A request that was sent twice: the second one waits for the first.
import { setTimeout as wait } from 'node:timers/promises';
import { isProblem } from '#http';

const waitMs = 100;
const attempts = 50;

/**
 * Runs `work`; while an earlier request with the same Idempotency-Key runs, waits and tries again. A browser
 * without scripts shows the answer to the second click, not to the first.
 */
export async function once<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isRunning = isProblem(error) && error.problem === 'idempotency-in-progress';
      if (!isRunning || attempt === attempts) throw error;
      await wait(waitMs);
    }
  }
}
