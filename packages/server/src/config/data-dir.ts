// DATA_DIR before anything uses it: made when it is missing, and refused when it cannot be written.
import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes `folder` and the parents that are missing; `mode` holds for what it makes, whatever the umask. `mkdir` with
 * `recursive` never returns where the kernel answers ENOENT below a folder that exists, as in /proc.
 */
async function makeFolder(folder: string, mode: number): Promise<void> {
  const code = await mkdir(folder).then(
    () => 'made',
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
  if (code === 'ENOENT' && dirname(folder) !== folder) {
    await makeFolder(dirname(folder), mode);
    await mkdir(folder);
  } else if (code !== 'made') {
    throw Object.assign(new Error(`mkdir ${folder}`), { code });
  }
  await chmod(folder, mode);
}

async function requireFolder(folder: string, mode: number): Promise<void> {
  try {
    await makeFolder(folder, mode);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `${folder} cannot be made or written (${code}): set DATA_DIR to a folder that this user may write.`,
      { cause },
    );
  }
}

/** Where the process keeps what it writes. */
export interface Places {
  readonly dataDir: string;
  readonly mediaStore: object | { readonly folder: string };
}

/**
 * Makes sure that the process can write what it keeps in DATA_DIR.
 * @throws Error with a sentence for the operator
 */
export async function requireDataDir({ dataDir, mediaStore }: Places): Promise<void> {
  // As root, other users must be able to pass through: the database runs as one. Nobody may look around.
  await requireFolder(dataDir, process.geteuid?.() === 0 ? 0o711 : 0o700);
  if (!('folder' in mediaStore)) return;
  const { folder } = mediaStore;
  await requireFolder(folder, 0o700);
  // An earlier version left it to the umask. A folder of another user that we may write stays as it is.
  await chmod(folder, 0o700).catch(() => undefined);
}
