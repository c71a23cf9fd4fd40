// Processor time of another process.
import { readFile } from 'node:fs/promises';

/** Milliseconds of a clock tick in /proc: 100 a second on every Linux that Node runs on. */
const tickMs = 10;

/**
 * Returns the processor time that a process has used in all its threads, and with `withEnded` also that of
 * its children which have ended. Linux only.
 */
export async function processorMs(pid: number, { withEnded = false } = {}): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain spaces; the 12th to 15th word after it are the user and system time of
  // the process and of its ended children.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = words.slice(11, withEnded ? 15 : 13).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) * tickMs;
}

/** Returns the pid of the parent; 0 when the process has ended. */
export async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}
