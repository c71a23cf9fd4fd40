// Files and folders that the user names for results: why one cannot be written, before a platform says it.
import { stat } from 'node:fs/promises';
import { failure, misuse } from './failures.ts';
import type { Failure } from './failures.ts';
import { isFullDisk } from './file-trouble.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EBUSY: 'it is in use',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'it exists and is not a folder',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EFBIG: 'it would be larger than a file may be',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'you may not write there',
  EROFS: 'you may not write there',
};

const codeOf = (error: unknown) => (error as { readonly code?: string } | null)?.code ?? '';

/** Returns the failure for a file or folder that the platform could not write; another error as it is. */
export function cannotWrite(name: string, error: unknown): unknown {
  const reason = reasons[codeOf(error)];
  if (reason === undefined) return error;
  const next = isFullDisk(error)
    ? 'Make room and run the same command again, or name another place.'
    : 'Name another place.';
  return failure(`Cannot write ${name}: ${reason}.`, next);
}

/** Returns the failure for standard output that could not be written, such as to a file on a full disk. */
export function cannotPrint(error: unknown): Failure {
  const reason = reasons[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
  return failure(
    `Cannot write the output: ${reason}.`,
    'What the command did before stays done. Make room, or write the output elsewhere.',
  );
}

/** @throws Failure for a name that cannot be a folder, because a file is there */
export async function requireFolder(path: string, name: string): Promise<void> {
  const found = await stat(path).catch(codeOf);
  const isFile = typeof found === 'string' ? found === 'ENOTDIR' : !found.isDirectory();
  if (isFile) throw misuse(`${name} is not a folder.`, 'Name another folder.');
}

/** @throws Failure for a pipe or a device, into which nothing can be written back */
export async function requireRegular(path: string, name: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  throw misuse(
    `${name} is not a file: the id of the article is written into it.`,
    'Save the text in a file first.',
  );
}
