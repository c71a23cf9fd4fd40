// Programs of other projects that are installed on this machine: tests that need one are skipped without it.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian installs servers in the last one, which is in the PATH of root only. */
const folders = new Set([...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the paths of every program of this name, in the order in which a shell looks for them. */
export function listPrograms(name: string): readonly string[] {
  return Array.from(folders, (folder) => join(folder, name)).filter(isExecutable);
}

/** Returns the path of the program that a shell would run; undefined if there is none. */
export function findProgram(name: string): string | undefined {
  return listPrograms(name)[0];
}
