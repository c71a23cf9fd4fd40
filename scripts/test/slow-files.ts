// Which test files `npm test` leaves out.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface SlowFiles {
  /** All that they contain: each starts a browser, or servers and databases that it kills. */
  readonly folders: readonly string[];
  /** Of those, random kills, which `npm test` runs with small numbers. */
  readonly kept: readonly string[];
  /** Others that start servers or stores of their own, or install packages. */
  readonly files: readonly string[];
}

const listed = JSON.parse(
  readFileSync(resolve(import.meta.dirname, 'slow-files.json'), 'utf8'),
) as SlowFiles;

/**
 * Whether `npm test` without words leaves the file out, so that it ends after about 8 minutes on two cores. CI,
 * `npm run test:all` and a long run include it.
 */
export function isSlow(file: string): boolean {
  if (listed.kept.includes(file)) return false;
  return listed.files.includes(file) || listed.folders.some((folder) => file.startsWith(folder));
}
