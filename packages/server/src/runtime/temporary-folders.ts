// Folders below the temporary one that end with their process, and the removal of those whose process was killed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inOwnRange } from './own-user.ts';
import { identityOf, runs, thisHost } from './process-identity.ts';

const hour = 60 * 60_000;

/** The age from which a folder is left over, whatever its name says: longer than any process uses one. */
const leftMs = { drawing: 24 * hour, backup: 7 * 24 * hour } as const;

export type TemporaryKind = keyof typeof leftMs;

/** Returns a short name of this host: containers and machines may share the temporary folder. */
function hostName(): string | undefined {
  const host = thisHost();
  return host && createHash('sha256').update(host).digest('hex').slice(0, 12);
}

/** Makes a folder whose name says which process uses it. Other users cannot enter it. */
export async function makeTemporary(kind: TemporaryKind): Promise<string> {
  const [pid, startedAt] = identityOf(process.pid) ?? [];
  const host = hostName();
  const owner = host === undefined || pid === undefined ? '' : `${host}-${pid}-${startedAt}-`;
  return mkdtemp(join(tmpdir(), `colophon-${kind}-${owner}`));
}

/** Whose folders may be removed: our own, and as root those of processes that had a user id of their own. */
function isOurs(uid: number): boolean {
  const me = process.geteuid?.();
  return uid === me || (me === 0 && inOwnRange(uid));
}

/** Removes a folder as its owner: root could be redirected by links in another user's folder. */
export async function removeTemporary(folder: string, owner: number | undefined): Promise<void> {
  if (owner === undefined || owner === process.geteuid?.())
    return rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const identity = { uid: owner, gid: owner, cwd: '/', env: {} };
  await new Promise<void>((resolve) => {
    execFile('/bin/rm', ['-rf', '--', folder], identity, () => resolve());
  });
  // The folder is empty now. It still exists where only root may remove entries of its parent folder.
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

const nameForm = /^colophon-(drawing|backup)-(?:([0-9a-f]{12})-(\d+)-(\d+)-)?[A-Za-z0-9]{6}$/;

/** Whether a folder with this name and time of change is left over; false for folders of other kinds. */
function isLeft(name: string, mtimeMs: number, own: string | undefined): boolean {
  const [, kind, host, pid, startedAt] = nameForm.exec(name) ?? [];
  if (kind === undefined) return false;
  const isAbandoned =
    host !== undefined &&
    host === own &&
    pid !== undefined &&
    startedAt !== undefined &&
    !runs([Number(pid), startedAt]);
  return isAbandoned || mtimeMs < Date.now() - leftMs[kind as TemporaryKind];
}

/** Removes the folders whose process has ended without removing them, and those that are too old to be in use. */
export async function sweepTemporary(): Promise<void> {
  const own = hostName();
  for (const name of await readdir(tmpdir())) {
    if (!nameForm.test(name)) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true || !isOurs(found.uid)) continue;
    if (isLeft(name, found.mtimeMs, own))
      await removeTemporary(folder, found.uid).catch(() => undefined);
  }
}
