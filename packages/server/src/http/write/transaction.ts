// One attempt of a write's transaction, and the work after its commit or its refusal.
import { violatedConstraint } from '#database';
import type { Database, Tx } from '#database';
import type { StoredAnswer } from './idempotency.ts';
import { isProblem } from '../problem.ts';
import type { Charge } from './quotas.ts';

/** What an attempt leaves for the code that translates its failure. */
export interface Attempt<P> {
  /** The charge that was refused. */
  charge: Charge | undefined;
  tx: Tx | undefined;
  /** Whether the answer is committed: a later failure is of the work after the commit, and refuses nothing. */
  committed: boolean;
  /** Work to do after the commit. */
  afterwards: ((db: Database) => Promise<void>) | undefined;
  /** Work to do after a refusal. */
  whenRefused: (() => Promise<void>) | undefined;
  /** The answer, with its secrets, for the case that the connection breaks at the commit. */
  answered: { readonly remembered: StoredAnswer; readonly performed: P } | undefined;
}

/** Notifies the pipeline of a commit and runs the work that follows it. */
export async function conclude(
  kernel: { readonly db: Database; readonly committed: (tx: Tx) => void },
  { tx, afterwards }: Pick<Attempt<unknown>, 'tx' | 'afterwards'>,
): Promise<void> {
  if (tx !== undefined) kernel.committed(tx);
  await afterwards?.(kernel.db);
}

/** Whether a failure proves that nothing was committed. After a lost connection that is unknown. */
export function isRefusal(error: unknown): boolean {
  return isProblem(error) || violatedConstraint(error) !== undefined;
}

/**
 * Runs the work that follows a refusal. If it fails, the daily comparison of the store with the rows deletes
 * the files.
 */
export async function undo(
  { whenRefused }: Pick<Attempt<unknown>, 'whenRefused'>,
  error: unknown,
): Promise<void> {
  if (isRefusal(error)) await whenRefused?.().catch(() => undefined);
}
