// Processor time of another process.
import { readFile } from 'node:fs/promises';

/** Milliseconds of a clock tick in /proc: 100 a second on every Linux that Node runs on. */
const tickMs = 10;

/** Returns the processor time that a process has used in all its threads. Linux only. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain spaces; the 12th and 13th word after it are user and system time.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(words[11]) + Number(words[12])) * tickMs;
}
