// The processes that a server has started, as Linux reports them.
import { readFile, readdir, readlink } from 'node:fs/promises';
import { processFields } from '#runtime';

/** undefined: there is no such process. */
function parentOf(pid: number): number | undefined {
  const fields = processFields(pid);
  return fields === undefined ? undefined : Number(fields[1]);
}

/** Whether it still runs: one that ended and was not waited for does not. */
export function isAlive(pid: number): boolean {
  const [state] = processFields(pid) ?? [];
  return state !== undefined && state !== 'Z';
}

/** The words that a process was started with; none once it has ended. */
export async function wordsOf(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').filter((word) => word !== '');
}

/** The children of `parent` that run the program with this file name. */
export async function childrenOf(parent: number, program: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (Number.isNaN(pid) || parentOf(pid) !== parent) continue;
    if ((await wordsOf(pid)).some((word) => word.endsWith(`/${program}`))) found.push(pid);
  }
  return found;
}

/** Children, their children, and so on. */
export async function descendantsOf(root: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir('/proc')) {
    const parent = parentOf(Number(entry));
    if (parent !== undefined) parents.set(Number(entry), parent);
  }
  const found = [root];
  for (const one of found) for (const [pid, parent] of parents) if (parent === one) found.push(pid);
  return found.slice(1);
}

/**
 * Kills the processes that work in the folder. Children of a killed server, suspended ones above all, would
 * outlive it and keep its pipes open. Without /proc it does nothing.
 */
export async function killAllIn(folder: string): Promise<void> {
  for (const entry of await readdir('/proc').catch(() => [])) {
    const pid = Number(entry);
    if (Number.isNaN(pid)) continue;
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    if (place === folder) signal(pid, 'SIGKILL');
  }
}

/** Sends the signal, unless the process has ended meanwhile. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
