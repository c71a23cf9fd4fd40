// The processes that a server has started, as Linux reports them.
import { readFile, readdir, readlink } from 'node:fs/promises';

interface ProcessState {
  readonly state: string;
  readonly parent: number;
}

/** undefined: there is no such process. */
async function stateOf(pid: number): Promise<ProcessState | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program is in parentheses, and may contain anything.
  const [state = '', parent] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  return text === undefined ? undefined : { state, parent: Number(parent) };
}

/** Whether it still runs: one that ended and was not waited for does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const found = await stateOf(pid);
  return found !== undefined && found.state !== 'Z';
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
    if (Number.isNaN(pid) || (await stateOf(pid))?.parent !== parent) continue;
    if ((await wordsOf(pid)).some((word) => word.endsWith(`/${program}`))) found.push(pid);
  }
  return found;
}

/** Children, their children, and so on. */
export async function descendantsOf(root: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir('/proc')) {
    const parent = Number.isNaN(Number(entry)) ? undefined : await stateOf(Number(entry));
    if (parent !== undefined) parents.set(Number(entry), parent.parent);
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
