// What a program uses with all its processes: processor time and memory. Linux only.
import { readdir, readFile } from 'node:fs/promises';
import { parentOf, processorMs } from './processor.ts';

async function parents(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const pairs = await Promise.all(
    pids.map(async (pid) => [Number(pid), await parentOf(Number(pid))] as const),
  );
  return new Map(pairs);
}

/** Returns these processes and all that they started, directly or not. */
export async function withChildren(roots: readonly number[]): Promise<readonly number[]> {
  const parentOf = await parents();
  const found = new Set(roots);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [pid, parent] of parentOf) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Returns the environment of a process, a variable a line; empty after it has ended. */
export async function environmentOf(pid: number): Promise<string> {
  const variables = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return variables.replaceAll('\0', '\n');
}

async function total(
  roots: readonly number[],
  figure: (pid: number) => Promise<number>,
): Promise<number> {
  const figures = await Promise.all(
    // A process may end meanwhile.
    (await withChildren(roots)).map((pid) => figure(pid).catch(() => 0)),
  );
  return figures.reduce((sum, one) => sum + one, 0);
}

/** Returns the processor time of these processes and all that they started, also what has ended, in ms. */
export const treeProcessorMs = (roots: readonly number[]) =>
  total(roots, (pid) => processorMs(pid, { withEnded: true }));

async function proportionalMiB(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** Returns their resident memory in MiB. What several processes share is counted once (PSS). */
export const treeMemoryMiB = (roots: readonly number[]) => total(roots, proportionalMiB);
