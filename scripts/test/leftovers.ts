// Finds processes that a test run left running, by any mention of the run's temporary folder.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

function readOr(path: string, read: (path: string) => string): string {
  try {
    return read(path);
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}

function names(pid: string, folder: string): boolean {
  const text = (path: string) => readOr(path, (name) => readFileSync(name, 'utf8'));
  return (
    text(`/proc/${pid}/cmdline`).includes(folder) ||
    text(`/proc/${pid}/environ`).includes(folder) ||
    readOr(`/proc/${pid}/cwd`, (name) => readlinkSync(name)).startsWith(folder)
  );
}

function commandOf(pid: string): string {
  return readOr(`/proc/${pid}/cmdline`, (name) => readFileSync(name, 'utf8'))
    .replaceAll('\0', ' ')
    .trim();
}

function isZombie(pid: string): boolean {
  return /\) Z /.test(readOr(`/proc/${pid}/stat`, (name) => readFileSync(name, 'utf8')));
}

/**
 * Returns processes whose arguments, environment or working folder contain `folder`, as `pid command`. Linux
 * only: elsewhere the list is empty.
 */
export function processesIn(
  folder: string,
): readonly { readonly pid: number; readonly command: string }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => names(pid, folder) && !isZombie(pid))
    .map((pid) => ({ pid: Number(pid), command: commandOf(pid) }));
}

/** Far longer than a process takes that is ending: on a busy machine it may have to wait for its turn. */
const endingMs = 20_000;

/** Returns the processes that `processesIn` returns, once those of them that are ending have ended. */
export async function lastingProcessesIn(folder: string): Promise<ReturnType<typeof processesIn>> {
  const began = performance.now();
  for (;;) {
    const found = processesIn(folder);
    if (found.length === 0 || performance.now() - began > endingMs) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Kills the processes that `processesIn` returns, until there are none. */
export async function killProcessesIn(folder: string): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    const found = processesIn(folder);
    if (found.length === 0) return;
    for (const { pid } of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It had already ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
