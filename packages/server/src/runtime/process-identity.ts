// Who a process is, for notes that outlive it: another process may have its pid later, or on another machine.
import { readFileSync, readlinkSync } from 'node:fs';
import { processFields } from './process-fields.ts';

/** A process, and the moment of its start in ticks of the kernel. */
export type Identity = readonly [pid: number, startedAt: string];

/** Returns the identity of a process that runs; undefined if there is none, or on a system without /proc. */
export function identityOf(pid: number): Identity | undefined {
  const fields = processFields(pid);
  const startedAt = fields?.[19];
  return fields?.[0] === 'Z' || startedAt === undefined ? undefined : [pid, startedAt];
}

/** Whether the process runs that had this identity. */
export function runs([pid, startedAt]: Identity): boolean {
  return identityOf(pid)?.[1] === startedAt;
}

/**
 * Returns where pids mean the same: until the machine starts again, and in the same container; undefined on a system
 * without /proc.
 */
export function thisHost(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}
