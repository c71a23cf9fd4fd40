// Results in files that the user named: all of them whole, or all of them as they were, wherever a file can be replaced.
import {
  chmod,
  constants,
  access,
  lstat,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { cannotWrite } from './files.ts';
import { writeBeside } from './profiles/private-file.ts';

export interface Result {
  readonly path: string;
  /** As the user knows it. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** A file that a new one takes the place of, or a place that is free. */
interface Place {
  readonly file: string;
  /** The mode of the file that is there. */
  readonly mode: number | undefined;
}

/**
 * Returns what can be replaced. Devices, pipes, links to nothing, files with other names and files of other users are
 * written into: to replace one would change more than its content.
 * @throws the error of the platform for a file that the user may not write
 */
async function placeOf(path: string): Promise<Place | undefined> {
  if ((await lstat(path).catch(() => undefined)) === undefined)
    return { file: path, mode: undefined };
  const file = await realpath(path).catch(() => undefined);
  if (file === undefined) return undefined;
  const found = await stat(file);
  if (!found.isFile() || found.nlink !== 1 || found.uid !== process.geteuid?.()) return undefined;
  // An ordinary user may not write a file of mode 0400, but may replace it.
  await access(file, constants.W_OK);
  return { file, mode: found.mode & 0o777 };
}

/** A folder that cannot be written, or a file that is mounted: the file itself can be written. */
const notReplaceable: ReadonlySet<unknown> = new Set(['EACCES', 'EBUSY', 'EPERM', 'EXDEV']);

function isNotReplaceable(error: unknown, { mode }: Place): boolean {
  return mode !== undefined && notReplaceable.has((error as NodeJS.ErrnoException).code);
}

interface Prepared {
  readonly place: Place;
  readonly written: string;
}

/** Writes a result beside its place; returns undefined if it has to be written into the file. */
async function prepare({ path, content }: Result): Promise<Prepared | undefined> {
  const place = await placeOf(path);
  if (place === undefined) return undefined;
  const { file, mode } = place;
  try {
    const written = await writeBeside(file, content, mode ?? 0o666);
    // The mode of a new file is cut by the mask of the process.
    if (mode !== undefined) await chmod(written, mode);
    return { place, written };
  } catch (error) {
    if (isNotReplaceable(error, place)) return undefined;
    throw error;
  }
}

async function putInPlace({ path, content }: Result, prepared: Prepared | undefined) {
  if (prepared === undefined) return writeFile(path, content);
  const { place, written } = prepared;
  try {
    await rename(written, place.file);
  } catch (error) {
    if (!isNotReplaceable(error, place)) throw error;
    await writeFile(path, content);
  }
}

/** @throws Failure that names the file of the result */
async function nameResult<T>({ name }: Result, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw cannotWrite(name, error);
  }
}

/**
 * Writes results that belong together: on a full disk all former files stay.
 * @throws Failure
 */
export async function writeResults(results: readonly Result[]): Promise<void> {
  const prepared = new Map<Result, Prepared>();
  try {
    for (const result of results) {
      const beside = await nameResult(result, prepare(result));
      if (beside !== undefined) prepared.set(result, beside);
    }
    for (const result of results)
      await nameResult(result, putInPlace(result, prepared.get(result)));
  } finally {
    for (const { written } of prepared.values()) await rm(written, { force: true });
  }
}
