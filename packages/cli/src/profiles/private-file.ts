// Files with secrets: only their owner can read them, and a crash leaves the old or the new content.
import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFile,
  chmod,
  link,
  open,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../make-folders.ts';

const missing: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

const codeOf = (error: unknown) => (error as { readonly code?: unknown } | null)?.code;

function isMissing(error: unknown): boolean {
  return missing.has(codeOf(error));
}

/** An error names the file that was meant: not the one beside it, and not none, as for one that was opened before. */
export function aboutFile(error: unknown, file: string): unknown {
  return error instanceof Error && 'syscall' in error
    ? Object.assign(error, { path: file })
    : error;
}

/** Returns the content of a file; undefined if it does not exist. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw aboutFile(error, file);
  }
}

/**
 * Writes a file beside its place, on disk and with its mode from the first byte on, and returns its name there. That is
 * short: added to the name of the file, it could be longer than a name may be.
 */
export async function writeBeside(
  file: string,
  content: string | Uint8Array,
  mode: number,
): Promise<string> {
  const written = join(dirname(file), `.colophon-${randomUUID()}.tmp`);
  try {
    const handle = await open(written, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return written;
  } catch (error) {
    await rm(written, { force: true }).catch(() => undefined);
    throw aboutFile(error, file);
  }
}

/** Writes a file beside its place and gives it its name. */
async function writeAndName<T>(
  file: string,
  { content, mode }: { readonly content: string; readonly mode: number },
  name: (written: string) => Promise<T>,
): Promise<T> {
  const written = await writeBeside(file, content, mode);
  try {
    return await name(written);
  } catch (error) {
    throw aboutFile(error, file);
  } finally {
    await rm(written, { force: true });
  }
}

/** Replaces a file in one step. It has the mode afterwards, whatever the mask of the process is. */
export async function replaceFile(file: string, content: string, mode: number): Promise<void> {
  await writeAndName(file, { content, mode }, async (written) => {
    await chmod(written, mode);
    await rename(written, file);
  });
}

/** Creates a file in one step. @throws EEXIST if there is one of this name */
export async function createFile(file: string, content: string, mode: number): Promise<void> {
  await writeAndName(file, { content, mode }, (written) => linkOrCopy(written, file));
}

/** Links a file to a name that must be free. Some file systems have no links: there it is copied. */
async function linkOrCopy(written: string, file: string): Promise<void> {
  try {
    await link(written, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    await copyFile(written, file, constants.COPYFILE_EXCL);
  }
}

/** Writes a file of mode 0600 in a folder of mode 0700. */
export async function writePrivate(file: string, content: string): Promise<void> {
  await makeFolders(dirname(file), 0o700);
  await replaceFile(file, content, 0o600);
}

/** The same for a file that must not exist. Returns whether it was created: of several programs at once, one does. */
export async function createPrivate(file: string, content: string): Promise<boolean> {
  await makeFolders(dirname(file), 0o700);
  try {
    await createFile(file, content, 0o600);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A secret that others can read is not a secret: the file's mode is set right before it is used. */
async function closeToOthers(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) await chmod(file, 0o600);
  } catch (error) {
    // Another program of the same user has removed it since it was read.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Returns the content of a private file; undefined if it does not exist. */
export async function readPrivate(file: string): Promise<string | undefined> {
  const text = await readIfPresent(file);
  if (text !== undefined) await closeToOthers(file);
  return text;
}
