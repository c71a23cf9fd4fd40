// Where the Unix socket lies: in the database folder, or in a short private folder when that path is too long.

import { chmod, chown, lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunUser } from './run-user.ts';
import type { EmbeddedConnection } from './types.ts';

/** Names the socket file; nothing listens on TCP. */
export const PORT = 5432;

const SOCKET = `.s.PGSQL.${PORT}`;
const PATH_LIMIT = process.platform === 'linux' ? 107 : 103;

/** `client` is the host for a driver; `server` is what PostgreSQL is told. */
export type SocketFolder = { client: string; server: string };

/**
 * The folder for the socket of `folder`. A short one is remembered in the data folder, so that a
 * start after kill -9 uses and cleans the same.
 */
export async function prepareSocketFolder(
  dataDir: string,
  folder: string,
  user: RunUser,
): Promise<SocketFolder> {
  // Relative to the database folder, in which the server works: its user may not be able to enter by the path.
  if (Buffer.byteLength(join(folder, SOCKET)) <= PATH_LIMIT) return { client: folder, server: '.' };
  const kept = await recallShortFolder(dataDir, user);
  const short = kept ?? (await mkdtemp(join(tmpdir(), 'colophon-')));
  await chmod(short, 0o700);
  if (user.switched) await chown(short, user.uid, user.gid);
  // It is ours alone and the lock is held: what lies there is left over.
  await rm(join(short, `${SOCKET}.lock`), { force: true });
  await writeFile(notePath(dataDir), short);
  return { client: short, server: `"${short.replaceAll('"', '""')}"` };
}

/** Removes the short folder after the server ended. */
export async function removeShortFolder(
  dataDir: string,
  { client, server }: SocketFolder,
): Promise<void> {
  if (server === '.') return;
  await rm(client, { recursive: true, force: true });
  await rm(notePath(dataDir), { force: true });
}

/** How to reach the server whose postmaster.pid names `socketFolder`. */
export function connectionIn(folder: string, socketFolder: string): EmbeddedConnection {
  return {
    host: socketFolder.startsWith('/') ? socketFolder : folder,
    port: PORT,
    user: 'colophon',
    database: 'colophon',
  };
}

function notePath(dataDir: string): string {
  return join(dataDir, 'socket-folder');
}

async function recallShortFolder(dataDir: string, user: RunUser): Promise<string | undefined> {
  const noted = await readFile(notePath(dataDir), 'utf8').catch(() => undefined);
  if (noted === undefined) return undefined;
  const found = await lstat(noted).catch(() => undefined);
  // The temp folder may have been swept since, and the name taken by somebody else.
  return found?.isDirectory() === true && found.uid === user.uid && (found.mode & 0o777) === 0o700
    ? noted
    : undefined;
}
