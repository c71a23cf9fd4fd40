// Files with secrets: only their owner can read them, and a crash leaves the old or the new content.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const missing: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

function isMissing(error: unknown): boolean {
  return missing.has((error as { readonly code?: unknown } | null)?.code);
}

/** Returns the content of a file; undefined if it does not exist. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Replaces a file in one step. The new file has the mode from its first byte on, and its content is on disk
 * before it takes the name.
 */
export async function replaceFile(file: string, content: string, mode: number): Promise<void> {
  const written = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(written, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** Writes a file of mode 0600 in a folder of mode 0700. */
export async function writePrivate(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, content, 0o600);
}

/** A secret that others can read is no secret: the file's mode is set right before it is used. */
async function closeToOthers(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) await chmod(file, 0o600);
}

/** Returns the content of a private file; undefined if it does not exist. */
export async function readPrivate(file: string): Promise<string | undefined> {
  const text = await readIfPresent(file);
  if (text !== undefined) await closeToOthers(file);
  return text;
}
