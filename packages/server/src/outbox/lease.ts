// A right that one process has at a time, and that ends with its connection.
import { lockNumbers, lockSpace, sql } from '#database';
import { openDedicatedConnection } from './dedicated-connection.ts';
import type { Ask, DedicatedConnectionOptions } from './dedicated-connection.ts';

export interface Lease extends AsyncDisposable {
  /** Takes the lease if it is free. Returns whether this process has it now; false without a connection. */
  isHeld(): Promise<boolean>;
}

/** The right to rebuild the rows of older versions, and to write the transparency log. */
type LeaseName = 'reindex' | 'log';

async function take(ask: Ask, name: LeaseName): Promise<boolean> {
  const [row] = await ask(sql<{ held: boolean }>`
    select pg_try_advisory_lock(${lockSpace}::integer, ${lockNumbers[name]}::integer) as held`);
  return row?.held === true;
}

/**
 * Opens a connection for the lease. It reconnects automatically, but loses the lease if another process
 * took it.
 */
export function openLease(
  options: Pick<DedicatedConnectionOptions, 'connection' | 'log'> & {
    readonly name: LeaseName;
  },
): Lease {
  const link = openDedicatedConnection(options);
  return {
    isHeld: () =>
      link
        .alone((ask) => take(ask, options.name))
        .catch((error: Error) => {
          options.log.debug({ err: error }, 'The lease could not be taken; it is tried again.');
          return false;
        }),
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  };
}
