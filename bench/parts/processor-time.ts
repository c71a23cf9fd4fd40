// Processor time of the server and its PostgreSQL: the cost of a request, regardless of other load.
import { readdir, readFile } from 'node:fs/promises';
import type { BenchDatabase } from './database.ts';
import { processorMs } from './processor.ts';

export interface ProcessorTime {
  readonly server: number;
  readonly database: number;
}

/** Returns the pid of the parent; 0 when the process has ended. */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/**
 * Returns a function that reads both in milliseconds. Linux only. For PostgreSQL, it covers the processes
 * that run at that time.
 */
export async function openProcessorTime(
  database: BenchDatabase,
  serverPid: number,
): Promise<() => Promise<ProcessorTime>> {
  const postmaster = await database.asOwner(async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return parentOf(rows[0]?.pid ?? 0);
  });
  return async () => {
    const names = await readdir('/proc');
    const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
    let total = 0;
    for (const pid of pids) {
      if ((await parentOf(pid)) === postmaster) total += await processorMs(pid).catch(() => 0);
    }
    return { server: await processorMs(serverPid), database: total };
  };
}
