// Shares one query between figures that are read together.
import { setTimeout as wait } from 'node:timers/promises';

/** One query of the pipeline serves the figures that are read together. */
const keptMs = 500;
/** Prometheus itself waits for ten seconds. */
const patienceMs = 3_000;

/**
 * Returns a function that shares one query between concurrent callers; undefined if the database does not
 * respond: the other figures are needed most then.
 */
export function shareQuery<T>(look: () => Promise<T>): () => Promise<T | undefined> {
  let seen: { readonly at: number; readonly found: Promise<T | undefined> } | undefined;
  return () => {
    const now = performance.now();
    if (seen === undefined || now - seen.at > keptMs) {
      const late = wait(patienceMs, undefined, { ref: false });
      seen = { at: now, found: Promise.race([look(), late]).catch(() => undefined) };
    }
    return seen.found;
  };
}
