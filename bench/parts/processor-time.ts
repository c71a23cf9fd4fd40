// Processor time of the server and of its PostgreSQL: what a request costs, whatever else the machine does.
import { readdir, readFile } from 'node:fs/promises';
import type { BenchDatabase } from './database.ts';
import { processorMs } from './processor.ts';

export interface ProcessorTime {
  readonly server: number;
  readonly database: number;
}

/** 0 where the process has ended. */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Answers a reading of both in milliseconds, Linux only; of PostgreSQL the processes that run then. */
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
