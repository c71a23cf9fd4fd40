// Recognises a commit of a distributed transaction that has not reached each of its servers.
import type pg from 'pg';
import { withoutRetry } from './pg-errors.ts';

/**
 * The coordinator's warning after its own commit: a server that had promised to commit has not done so yet. Until
 * the coordinator repeats it, readers see some rows of the transaction and miss others.
 */
const unfinished = /^failed to commit transaction on /;

interface Notice {
  readonly message?: string | undefined;
}

/**
 * The code says that the outcome is unknown. Another attempt now would wait for rows that are locked until the
 * coordinator has repeated the commit.
 */
function inDoubt(warning: string): Error {
  const text = `The commit is not complete yet: ${warning}.`;
  return withoutRetry(Object.assign(new Error(text), { code: '08007', severity: 'ERROR' }));
}

/** Follows the warnings of a connection until its end. */
export interface CommitWatch extends Disposable {
  /** @throws Error of a lost connection if a server has not committed */
  requireComplete(): void;
}

/** Starts to follow them. */
export function watchCommit(client: pg.ClientBase): CommitWatch {
  let warning: string | undefined;
  const look = ({ message = '' }: Notice) => {
    if (unfinished.test(message)) warning = message;
  };
  client.on('notice', look);
  return {
    requireComplete: () => {
      if (warning !== undefined) throw inDoubt(warning);
    },
    [Symbol.dispose]: () => void client.off('notice', look),
  };
}
