// One transaction of a write, and what is to be done after its commit or its refusal.
import { violatedConstraint } from '#database';
import type { Database, Tx } from '#database';
import type { StoredAnswer } from './idempotency.ts';
import { isProblem } from '../problem.ts';
import type { Charge } from './quotas.ts';

/** What a transaction leaves for the code that translates its failure. */
export interface Attempt<P> {
  /** The one that was refused. */
  charge: Charge | undefined;
  tx: Tx | undefined;
  /** What is to be done once it is committed. */
  afterwards: ((db: Database) => Promise<void>) | undefined;
  /** What is to be done once it is refused. */
  whenRefused: (() => Promise<void>) | undefined;
  /** What was answered when the connection broke at the commit, with its secrets. */
  answered: { readonly remembered: StoredAnswer; readonly performed: P } | undefined;
}

/** What follows a commit: the pipeline is told, and what had to come after it is done. */
export async function conclude(
  kernel: { readonly db: Database; readonly committed: (tx: Tx) => void },
  { tx, afterwards }: Pick<Attempt<unknown>, 'tx' | 'afterwards'>,
): Promise<void> {
  if (tx !== undefined) kernel.committed(tx);
  await afterwards?.(kernel.db);
}

/** Whether a failure proves that nothing was committed. A lost connection leaves it open. */
export function isRefusal(error: unknown): boolean {
  return isProblem(error) || violatedConstraint(error) !== undefined;
}

/**
 * What follows a refusal. When this fails, the comparison of the store with the rows does it within a day.
 */
export async function undo(
  { whenRefused }: Pick<Attempt<unknown>, 'whenRefused'>,
  error: unknown,
): Promise<void> {
  if (isRefusal(error)) await whenRefused?.().catch(() => undefined);
}
