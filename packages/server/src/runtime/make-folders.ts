// Creates a folder with its parents, and ends where the kernel lets nothing be created.
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Creates one folder. Returns whether it is new; undefined: a parent is missing. */
async function makeOne(folder: string, mode: number): Promise<boolean | undefined> {
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() === true) return false;
    throw error;
  }
}

/**
 * Creates `folder` and its missing parents, all with this mode less the umask. Returns the first folder that it
 * created, undefined if there was nothing to create. It stands for `mkdir` with `recursive`, which never returns
 * if the kernel reports ENOENT below an existing folder, as in /proc.
 * @throws the error of the system
 */
export async function makeFolders(folder: string, mode: number): Promise<string | undefined> {
  const made = await makeOne(folder, mode);
  if (made !== undefined) return made ? folder : undefined;
  const parent = path.dirname(folder);
  const first = parent === folder ? undefined : await makeFolders(parent, mode);
  const again = await makeOne(folder, mode);
  if (again === undefined)
    throw Object.assign(new Error(`ENOENT: mkdir '${folder}'`), { code: 'ENOENT', path: folder });
  return first ?? (again ? folder : undefined);
}
