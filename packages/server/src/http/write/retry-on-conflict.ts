// Runs an effect again if it lost a race that only a new snapshot of the database can decide.
import { violatedConstraint } from '#database';
import { keyConstraint } from './idempotency.ts';

const rerunConstraints: ReadonlySet<string> = new Set([
  keyConstraint,
  'revisions_held_hash_fkey',
  'edges_dst_key_key',
]);

/**
 * Runs the effect up to `tries` times: the same row was committed, or the content deleted, between its query
 * and its insert.
 */
export async function retryOnConflict<T>(run: () => Promise<T>, tries = 4): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (tries === 1 || !rerunConstraints.has(violatedConstraint(error) ?? '')) throw error;
    return retryOnConflict(run, tries - 1);
  }
}
