// The file that names the processes of a supervisor, so that the next start can end those that outlived it.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { identityOf, runs, thisHost } from '#runtime';
import type { Identity } from '#runtime';

interface Written {
  /** Pids mean something only until the machine restarts, and in the same container. */
  readonly host: string;
  readonly supervisor: Identity;
  readonly processes: readonly Identity[];
}

/** Returns what writes the pids of all processes into the file; with none left, it removes the file. */
export function recordPids(file: string) {
  const host = thisHost();
  const supervisor = identityOf(process.pid);
  return {
    write: (pids: readonly (number | undefined)[]): void => {
      if (host === undefined || supervisor === undefined) return;
      const processes = pids
        .map((pid) => (pid === undefined ? undefined : identityOf(pid)))
        .filter((one) => one !== undefined);
      try {
        if (processes.length === 0) return rmSync(file, { force: true });
        const lines = [host, ...[supervisor, ...processes].map((one) => one.join(' '))];
        writeFileSync(`${file}.new`, `${lines.join('\n')}\n`, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch {
        // A full disk must not end the supervisor. The file serves only after it was killed.
      }
    },
  };
}

/** Reads the file: a line for the host, one for the supervisor, and one for each process. */
function readWritten(file: string): Written | undefined {
  try {
    const [host = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
    const [supervisor, ...processes] = lines.map((line): Identity => {
      const [pid, startedAt = ''] = line.split(' ');
      return [Number(pid), startedAt];
    });
    return supervisor === undefined ? undefined : { host, supervisor, processes };
  } catch {
    return undefined;
  }
}

/** The kernel ends a killed process at once, unless it waits for a disk. */
const endMs = 10_000;

/**
 * Kills the processes of a supervisor that no longer runs. Such a process ends by itself when it runs, but one
 * that hangs would keep the port and its connections to the database.
 * @throws Error if a process does not end
 */
export async function endLeftBehind(
  file: string,
  log: { readonly warn: (fields: object, text: string) => void },
): Promise<void> {
  const written = readWritten(file);
  if (written === undefined || written.host !== thisHost() || runs(written.supervisor)) return;
  const left = written.processes.filter(runs);
  for (const [pid] of left) {
    log.warn({ pid }, 'A process of an earlier start hangs; it is killed.');
    process.kill(pid, 'SIGKILL');
  }
  const until = performance.now() + endMs;
  for (;;) {
    const pids = left.filter(runs).map(([pid]) => pid);
    if (pids.length === 0) break;
    if (performance.now() > until)
      throw new Error(`A process of an earlier start (${pids.join(', ')}) does not end: end it.`);
    await wait(20);
  }
  rmSync(file, { force: true });
}
