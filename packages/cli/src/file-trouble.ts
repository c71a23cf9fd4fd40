// Why a file of the program itself, or one that it writes back into, could not be used: said for people.

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'the permissions do not allow it',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'it would be larger than a file may be',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it does not exist, or its folder cannot be created',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'the permissions do not allow it',
  EROFS: 'the disk cannot be written to',
};

/** Returns what to say about an error of the file system; undefined for another error. */
export function fileTrouble(
  error: unknown,
): { readonly message: string; readonly next: string } | undefined {
  const { code, path } = Object(error) as { readonly code?: unknown; readonly path?: unknown };
  const reason = reasons[String(code)];
  if (reason === undefined || typeof path !== 'string') return undefined;
  return {
    message: `Cannot use ${path}: ${reason}.`,
    next: 'Correct this, and run the same command again.',
  };
}
