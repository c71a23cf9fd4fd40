// Checks DATA_DIR before it is used: creates it if missing, and refuses it if it is not writable.
import { access, chmod, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '#runtime';

/** Creates `folder` and its missing parents; `mode` applies to all that it creates, regardless of the umask. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  const first = await makeFolders(folder, mode);
  if (first === undefined) return;
  for (let at = folder; at.length >= first.length; at = dirname(at)) await chmod(at, mode);
}

async function requireFolder(folder: string, mode: number): Promise<void> {
  try {
    await makeFolder(folder, mode);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `${folder} cannot be created or written (${code}): set DATA_DIR to a folder that this user can write.`,
      { cause },
    );
  }
}

/** The locations to which the process writes. */
export interface DataPaths {
  readonly dataDir: string;
  readonly mediaStore: object | { readonly folder: string };
}

/**
 * Checks that the process can write to DATA_DIR and to the folder of media.
 * @throws Error with a message for the operator
 */
export async function requireDataDir({ dataDir, mediaStore }: DataPaths): Promise<void> {
  // As root: other users must be able to enter, because the database runs as one, but not to list the
  // content.
  await requireFolder(dataDir, process.geteuid?.() === 0 ? 0o711 : 0o700);
  if (!('folder' in mediaStore)) return;
  const { folder } = mediaStore;
  await requireFolder(folder, 0o700);
  // An earlier version left the mode to the umask. A writable folder of another user stays unchanged.
  await chmod(folder, 0o700).catch(() => undefined);
}
