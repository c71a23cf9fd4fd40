// A right that one process has at a time, and that ends with its connection.
import { sql } from '#database';
import { openDedicatedConnection } from './dedicated-connection.ts';
import type { Ask, DedicatedConnectionOptions } from './dedicated-connection.ts';

export interface Lease extends AsyncDisposable {
  /** Takes the lease if it is free. Returns whether this process has it now; false without a connection. */
  isHeld(): Promise<boolean>;
}

/** The leases by name: the right to rebuild the rows of older versions, and to write the transparency log. */
const numbers = { reindex: 4, log: 5 } as const;

async function take(ask: Ask, number: number): Promise<boolean> {
  const [row] = await ask(sql<{ held: boolean }>`
    select pg_try_advisory_lock(1129270351, ${number}::integer) as held`);
  return row?.held === true;
}

/**
 * Opens a connection for the lease. It reconnects automatically, but loses the lease if another process
 * took it.
 */
export function openLease(
  options: Pick<DedicatedConnectionOptions, 'connection' | 'log'> & {
    readonly name: keyof typeof numbers;
  },
): Lease {
  const link = openDedicatedConnection(options);
  return {
    isHeld: () =>
      link
        .alone((ask) => take(ask, numbers[options.name]))
        .catch((error: Error) => {
          options.log.debug({ err: error }, 'The lease could not be taken; it is tried again.');
          return false;
        }),
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  };
}
