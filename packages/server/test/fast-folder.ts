// A temporary folder in memory where the machine has one, for databases that are cloned hundreds of times.
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** A container often has 64 MiB there. A run needs some 500 MiB. */
const bytesMin = 4 * 1024 ** 3;
/** The id of the process that uses the folder follows. */
const prefix = 'colophon-test-';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the folders of test runs that were killed: they would take memory until the next boot. */
async function sweep(): Promise<void> {
  for (const name of await readdir(memory)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : NaN;
    if (!(pid > 0) || isRunning(pid)) continue;
    await rm(join(memory, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Makes a new folder, on disk if it will hold several GB. The caller removes it. */
export async function makeFastFolder({ isLarge = false } = {}): Promise<string> {
  const name = `${prefix}${process.pid}-`;
  if (isLarge) return mkdtemp(join(tmpdir(), name));
  try {
    const { bavail, bsize } = await statfs(memory);
    if (bavail * bsize < bytesMin) return await mkdtemp(join(tmpdir(), name));
    await sweep();
    return await mkdtemp(join(memory, name));
  } catch {
    // No such folder on this system, or not for us.
    return mkdtemp(join(tmpdir(), name));
  }
}
