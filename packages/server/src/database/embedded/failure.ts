// Errors of the embedded database: one plain sentence each, the technical reason as `cause`.

/** The alternative advice, for the end of a sentence that has none better. */
export const orExternal = 'or set DATABASE_URL to your own PostgreSQL server';

/** Returns an Error whose message is a sentence for the operator. */
export function failure(sentence: string, cause?: unknown): Error {
  return cause === undefined ? new Error(sentence) : new Error(sentence, { cause });
}

/** Returns the `code` of a system error (`ENOENT`, …); undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns a system error with a sentence for the operator; an error that already has one is unchanged. */
export function inPlainWords(error: unknown, dataDir: string): unknown {
  const code = errnoOf(error);
  if (code === undefined) return error;
  const where = error instanceof Error && 'path' in error ? String(error.path) : dataDir;
  const sentence =
    SENTENCES[code]?.(where, dataDir) ??
    `The database in ${dataDir} could not be started (${code} on ${where}): see the log, ${orExternal}.`;
  return failure(sentence, error);
}

type Sentence = (where: string, dataDir: string) => string;

const full: Sentence = (_, dataDir) =>
  `The disk of ${dataDir} is full: free some space and start again.`;
const noAccessText: Sentence = (where, dataDir) =>
  `This user has no access to ${where}: give this user the folder of DATA_DIR (chown -R USER ${dataDir}), start as its owner, or set DATA_DIR to another folder.`;
const noFolder: Sentence = (where) => `${where} is not a folder: set DATA_DIR to a folder.`;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  ENOSPC: full,
  EDQUOT: full,
  EACCES: noAccessText,
  EPERM: noAccessText,
  EROFS: noAccessText,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
};
