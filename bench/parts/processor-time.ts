// Processor time of the server and its PostgreSQL: the cost of a request, regardless of other load.
import { readdir } from 'node:fs/promises';
import type { BenchDatabase } from './database.ts';
import { parentOf, processorMs } from './processor.ts';

export interface ProcessorTime {
  readonly server: number;
  readonly database: number;
}

/** Returns the processor time of the children of a process that run now, in milliseconds. Linux only. */
export async function childrenMs(parent: number): Promise<number> {
  const names = await readdir('/proc');
  let total = 0;
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number)) {
    if ((await parentOf(pid)) === parent) total += await processorMs(pid).catch(() => 0);
  }
  return total;
}

/** Returns the pid of the process that all processes of this PostgreSQL come from. */
export function postmasterPid(database: BenchDatabase): Promise<number> {
  return database.asOwner(async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return parentOf(rows[0]?.pid ?? 0);
  });
}

/**
 * Returns a function that reads both in milliseconds. Linux only. For PostgreSQL, it covers the processes
 * that run at that time.
 */
export async function openProcessorTime(
  database: BenchDatabase,
  serverPid: number,
): Promise<() => Promise<ProcessorTime>> {
  const postmaster = await postmasterPid(database);
  return async () => ({
    server: await processorMs(serverPid),
    database: await childrenMs(postmaster),
  });
}
