// Creates a folder with its parents, and ends where the kernel lets nothing be created.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates one folder. Returns whether its parent exists. */
async function makeOne(folder: string, mode: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  }
  return true;
}

/**
 * Creates `folder` and its missing parents, all with this mode less the umask. It stands for `mkdir` with
 * `recursive`, which never returns if the kernel reports ENOENT below an existing folder, as in /proc.
 * @throws the error of the system
 */
export async function makeFolders(folder: string, mode = 0o777): Promise<void> {
  if (await makeOne(folder, mode)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolders(parent, mode);
  if (!(await makeOne(folder, mode)))
    throw Object.assign(new Error(`ENOENT: mkdir '${folder}'`), { code: 'ENOENT', path: folder });
}
