// Resident memory of another process. Linux only.
import { readFile, writeFile } from 'node:fs/promises';

/** Returns the present resident memory (`VmRSS`) or its maximum (`VmHWM`), in MiB. */
export async function memoryMiB(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}

/** Resets the maximum of the resident memory to its present size. */
export const resetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, '5');
