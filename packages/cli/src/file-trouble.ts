// Why a file of the program itself, or one that it writes back into, could not be used: said for people.

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'the permissions do not allow it',
  EBUSY: 'another program uses it',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'something else has this name',
  EFBIG: 'it would be larger than a file may be',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it does not exist, or its folder cannot be created',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'the permissions do not allow it',
  EROFS: 'the disk cannot be written to',
};

/** Returns why the system refused a file, in words if they are known. */
export function reasonOf(error: unknown): string {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return reasons[String(code)] ?? code ?? String(error);
}

/** Whether a disk took no more bytes: after making room, the same command can succeed. */
export function isFullDisk(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Calls whose errors name no file: it was opened before. */
const callsOnOpenFiles: ReadonlySet<unknown> = new Set(['write', 'read', 'fsync']);

/** Returns what to say about an error of the file system; undefined for another error. */
export function fileTrouble(
  error: unknown,
): { readonly message: string; readonly next: string } | undefined {
  const { code, path, syscall } = Object(error) as NodeJS.ErrnoException;
  const reason = reasons[String(code)];
  const name = path ?? (callsOnOpenFiles.has(syscall) ? 'a file' : undefined);
  if (reason === undefined || typeof name !== 'string') return undefined;
  return {
    message: `Cannot use ${name}: ${reason}.`,
    next: `${isFullDisk(error) ? 'Make room' : 'Correct this'}, and run the same command again.`,
  };
}

/** Returns what an error says: in words, if it is one of the file system. */
export function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return fileTrouble(error)?.message ?? text;
}
