// The folder of the Unix socket: the database folder, or a short private one for a long path.

import { chmod, chown, lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunUser } from './run-user.ts';
import type { EmbeddedConnection } from './types.ts';

/** Part of the socket's file name; the server does not listen on TCP. */
export const PORT = 5432;

const SOCKET = `.s.PGSQL.${PORT}`;
const PATH_LIMIT = process.platform === 'linux' ? 107 : 103;

/** `client` is the host for a driver; `server` is the setting for PostgreSQL. */
export type SocketFolder = { client: string; server: string };

/**
 * Returns the folder for the socket of `folder`. The path of a short one is stored in the data folder, so
 * that a start after kill -9 uses and cleans the same folder.
 */
export async function prepareSocketFolder(
  dataDir: string,
  folder: string,
  user: RunUser,
): Promise<SocketFolder> {
  // Relative to the database folder, the server's working directory: its user may not be able to enter the
  // path.
  if (Buffer.byteLength(join(folder, SOCKET)) <= PATH_LIMIT) return { client: folder, server: '.' };
  const kept = await recallShortFolder(dataDir, user);
  const short = kept ?? (await mkdtemp(join(tmpdir(), 'colophon-')));
  await chmod(short, 0o700);
  if (user.switched) await chown(short, user.uid, user.gid);
  // The folder is private and this process has the lock: its content is left over.
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

/** Returns how to reach the server whose postmaster.pid names `socketFolder`. */
export function connectionIn(folder: string, socketFolder: string): EmbeddedConnection {
  return {
    host: socketFolder.startsWith('/') ? socketFolder : folder,
    port: PORT,
    user: 'colophon',
    database: 'colophon',
    // A shell may have PGSSLMODE, PGSSLNEGOTIATION and PGOPTIONS for another database. The driver would take them
    // over, and it takes an empty text for none.
    ssl: false,
    sslnegotiation: 'postgres',
    options: ' ',
  };
}

function notePath(dataDir: string): string {
  return join(dataDir, 'socket-folder');
}

async function recallShortFolder(dataDir: string, user: RunUser): Promise<string | undefined> {
  const noted = await readFile(notePath(dataDir), 'utf8').catch(() => undefined);
  if (noted === undefined) return undefined;
  const found = await lstat(noted).catch(() => undefined);
  // The temporary folder may have been cleaned up, and another user may have taken the name.
  return found?.isDirectory() === true && found.uid === user.uid && (found.mode & 0o777) === 0o700
    ? noted
    : undefined;
}
