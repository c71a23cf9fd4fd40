// Suspends a process of a test, as a machine that hangs would.
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { until } from './throw-away-database.ts';

/** The states of the threads of a process (proc(5)); none where the system does not tell. */
function statesOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
    });
  } catch {
    // A thread has just ended, or this is not Linux.
    return [];
  }
}

/** Resolves when all threads are suspended: on a busy machine, one can go on for a while after the signal. */
export async function suspend(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined) return;
  const { pid } = child;
  child.kill('SIGSTOP');
  await until('the process is suspended', () => statesOf(pid).every((state) => state === 'T'));
}
