// Recurring work on many objects, of which one may fail for ever.

/** A database or a store that is gone fails everything: each object would wait for its failure. */
const failuresMax = 5;

export interface Attempts {
  /** Does the work on one object. Its failure is kept, so that the next object has its turn. */
  attempt(work: () => Promise<void>): Promise<void>;
  /** Throws the first failure, if there was one. */
  finish(): void;
}

/**
 * Makes the attempts of one run. An object that always fails, such as one whose row a forgotten session locks, holds
 * back no other one; the run fails in the end, so that the failure is reported and tried again.
 */
export function despiteFailures(): Attempts {
  const failures: unknown[] = [];
  const finish = () => {
    if (failures.length > 0) throw failures[0];
  };
  return {
    attempt: async (work) => {
      try {
        await work();
      } catch (error) {
        failures.push(error);
        if (failures.length >= failuresMax) finish();
      }
    },
    finish,
  };
}
