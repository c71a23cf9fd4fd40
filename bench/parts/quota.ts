// Limits each of some processes to a share of a processor, so that others are free for them. Linux, as root.
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where version 1 of control groups has the processor; version 2 has one folder for everything. */
const roots = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];
const periodUs = 100_000;

export interface Quota extends AsyncDisposable {
  /** Puts a process with all its threads into the group. */
  add(pid: number): Promise<void>;
}

/** Writes the limit in the words of version 1, else in those of version 2. */
async function setLimit(folder: string, share: number): Promise<void> {
  const quotaUs = String(Math.round(periodUs * share));
  try {
    await writeFile(join(folder, 'cpu.cfs_period_us'), String(periodUs), { flag: 'r+' });
    await writeFile(join(folder, 'cpu.cfs_quota_us'), quotaUs, { flag: 'r+' });
  } catch {
    await writeFile(join(folder, 'cpu.max'), `${quotaUs} ${periodUs}`, { flag: 'r+' });
  }
}

async function openAt(root: string, name: string, share: number): Promise<Quota> {
  const folder = join(root, `colophon-bench-${process.pid}-${name}`);
  await mkdir(folder);
  const remove = () => rmdir(folder);
  try {
    await setLimit(folder, share);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    add: (pid) => writeFile(join(folder, 'cgroup.procs'), String(pid)),
    [Symbol.asyncDispose]: remove,
  };
}

/**
 * Opens a control group whose processes get so much of one processor together; its processes must have ended when
 * it is disposed of.
 * @throws Error if this user may not create one
 */
export async function openQuota(name: string, share: number): Promise<Quota> {
  const failures: unknown[] = [];
  for (const root of roots) {
    try {
      return await openAt(root, name, share);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'Control groups for processors are needed: run it as root.');
}
