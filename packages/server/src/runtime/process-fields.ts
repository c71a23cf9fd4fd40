// What Linux reports of a process.
import { readFileSync } from 'node:fs';

/**
 * Returns the fields of proc_pid_stat(5) from the third one, the state, on; undefined if there is no such process, or
 * on a system without /proc.
 */
export function processFields(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses, and may contain anything.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
