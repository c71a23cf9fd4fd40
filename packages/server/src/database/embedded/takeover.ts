// Stops what an earlier server left running on the database folder, so that a new one can start.

import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf, failure } from './failure.ts';
import { findPostmaster, isServerOf, listServers, readPidFile } from './pid-file.ts';
import { replaceFile } from './replace-file.ts';
import type { EmbeddedLog } from './types.ts';

const POLL_MS = 5;

/** A signal (undefined: only wait) and the milliseconds to wait for the end after it. */
export type Step = readonly [signal: NodeJS.Signals | undefined, waitMs: number];

/** Fast shutdown, then immediate shutdown; SIGKILL is for a server that was suspended. */
export const STOP_STEPS: readonly Step[] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
];

/** Without a postmaster, its child processes end on their own when they notice. */
const ORPHAN_STEPS: readonly Step[] = [
  [undefined, 1_000],
  ['SIGQUIT', 2_000],
  ['SIGKILL', 5_000],
];

/**
 * Stops a postmaster that still runs on `folder` and the child processes of a killed one, and makes a stale
 * postmaster.pid harmless. Call it while holding the lock.
 * @throws Error if a process does not end
 */
export async function endEarlierServer(folder: string, log: EmbeddedLog): Promise<void> {
  const running = await findPostmaster(folder);
  if (running !== undefined) {
    log.warn(
      { pid: running.pid, folder },
      'A database server of an earlier process is still running; it is stopped.',
    );
    await endServers([running.pid], folder, STOP_STEPS);
  }
  if ((await readPidFile(folder)) === undefined) return;
  const orphans = await listServers(folder);
  if (orphans.length > 0) await endServers(orphans, folder, ORPHAN_STEPS);
  await disarmPidFile(folder);
  log.warn({ folder }, 'The database was not shut down cleanly; PostgreSQL recovers it.');
}

async function endServers(pids: number[], folder: string, steps: readonly Step[]): Promise<void> {
  let left = pids;
  for (const [signal, waitMs] of steps) {
    if (signal !== undefined) for (const pid of left) send(pid, signal, folder);
    const until = performance.now() + waitMs;
    while (left.length > 0 && performance.now() < until) {
      const alive = await Promise.all(left.map((pid) => isServerOf(pid, folder)));
      left = left.filter((_, index) => alive[index]);
      if (left.length > 0) await delay(POLL_MS);
    }
    if (left.length === 0) return;
  }
  throw failure(
    `The database server of ${folder} (process ${left.join(', ')}) does not stop: stop it, then start again.`,
  );
}

function send(pid: number, signal: NodeJS.Signals, folder: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return;
    throw failure(
      `A database server of another user (process ${pid}) uses ${folder}: stop it first.`,
      error,
    );
  }
}

/**
 * Replaces the pid in the file of a killed server with that of this process. Another process may have the old
 * pid by now, and PostgreSQL would take it for a running server. Removing the file would also lose the id of
 * its shared memory, by which PostgreSQL detects children of the killed server. PostgreSQL knows that its
 * parent cannot be another server, and still checks the memory.
 */
async function disarmPidFile(folder: string): Promise<void> {
  const path = join(folder, 'postmaster.pid');
  await rm(join(folder, '.s.PGSQL.5432.lock'), { force: true });
  if ((await readPidFile(folder)) === 'broken') return rm(path, { force: true });
  const lines = (await readFile(path, 'utf8')).split('\n');
  const text = [String(process.pid), ...lines.slice(1)].join('\n');
  await replaceFile(path, text, process.geteuid?.() === 0 ? await stat(folder) : undefined);
}
