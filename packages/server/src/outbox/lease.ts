// A right that one process has at a time and loses with its connection, so that it cannot outlive whoever held it.
import { sql } from '#database';
import { openDedicatedConnection } from './dedicated-connection.ts';
import type { Ask, DedicatedConnectionOptions } from './dedicated-connection.ts';

export interface Lease extends AsyncDisposable {
  /** Takes it where nobody has it; whether this process has it now. Without a connection it has not. */
  isHeld(): Promise<boolean>;
}

/** There is one such right so far: to make anew what an older version derived. */
const number = 4;

async function take(ask: Ask): Promise<boolean> {
  const [row] = await ask(sql<{ held: boolean }>`
    select pg_try_advisory_lock(1129270351, ${number}) as held`);
  return row?.held === true;
}

/** Opens a connection for it, which comes back by itself: without the right, if somebody else has it by then. */
export function openLease(
  options: Pick<DedicatedConnectionOptions, 'connection' | 'log' | 'name'>,
): Lease {
  const link = openDedicatedConnection(options);
  return {
    isHeld: () =>
      link.alone(take).catch((error: Error) => {
        options.log.debug({ err: error }, 'The lease could not be asked for.');
        return false;
      }),
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  };
}
