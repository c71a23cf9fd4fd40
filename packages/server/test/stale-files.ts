// For tests: lock files that name a process other than PostgreSQL.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseRunUser } from '../src/database/embedded/run-user.ts';

/** Starts an unrelated process of the server's user, whose pid a stale file names. */
export async function startSleeper(dataDir: string): Promise<ChildProcess> {
  const { uid } = await chooseRunUser(dataDir, join(dataDir, 'postgres'));
  const sleeper = spawn('sleep', ['60'], {
    stdio: 'ignore',
    ...(process.geteuid?.() === 0 ? { uid } : {}),
  });
  await once(sleeper, 'spawn');
  return sleeper;
}

/** Writes lock files as a killed server leaves them, naming `pid`. */
export async function writeStaleFiles(dataDir: string, pid: number): Promise<void> {
  const folder = join(dataDir, 'postgres');
  const lines = [pid, folder, 1_700_000_000, 5432, '.', '', '  16039942         5', 'ready   ', ''];
  const { uid, gid } = await stat(folder);
  for (const [name, length] of [
    ['postmaster.pid', lines.length],
    ['.s.PGSQL.5432.lock', 5],
  ] as const) {
    await writeFile(join(folder, name), lines.slice(0, length).join('\n'), { mode: 0o600 });
    await chown(join(folder, name), uid, gid);
  }
}
