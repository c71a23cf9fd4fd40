// Ports for the servers of tests: no two tests of a run get the same one, even while a server is stopped.
import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#http';

/** The files that stand for the ports of this process, in the folder of the run. */
const taken = new Set<string>();

/** Creates the file of a port. Returns false if another test has it. */
async function take(port: number): Promise<boolean> {
  const file = join(tmpdir(), `colophon-port-${port}`);
  try {
    await (await open(file, 'wx')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  if (taken.size === 0)
    process.once('exit', () => {
      for (const one of taken) rmSync(one, { force: true });
    });
  taken.add(file);
  return true;
}

/**
 * Returns a free port of 127.0.0.1, and of `alsoHost` if the machine has that address. It stays with this process:
 * a port that is only free now can be chosen by another test before its server listens, or while it is restarted.
 */
export async function ownPort(alsoHost?: string): Promise<number> {
  for (;;) {
    const port = await freePort('127.0.0.1', alsoHost);
    if (await take(port)) return port;
  }
}
