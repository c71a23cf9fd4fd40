// Which user the database server runs as: PostgreSQL refuses root.

import { chown, lchown, lstat, readFile, readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { idsIn, inOwnRange, ownIdOf } from '#runtime';
import { failure, orExternal } from './failure.ts';

/** `switched` says that the server runs as somebody else than this process. */
export type RunUser = { uid: number; gid: number; switched: boolean };

/** A user id for the database of this data folder, which has no account and so owns nothing else. */
async function ownUser(dataDir: string): Promise<RunUser> {
  const texts = ['/etc/passwd', '/etc/group'].map((file) => readFile(file, 'utf8').catch(() => ''));
  const uid = ownIdOf('database', dataDir, idsIn(...(await Promise.all(texts))));
  return { uid, gid: uid, switched: true };
}

/**
 * Ourselves, unless we are root: then the owner of the database folder or of the data folder, when that is a person or
 * a service, and else a user of its own. `nobody` is not one of its own: other programs run as it. `folder` need not
 * exist. Throws when the folder belongs to somebody else.
 */
export async function chooseRunUser(dataDir: string, folder: string): Promise<RunUser> {
  const uid = process.geteuid?.() ?? 0;
  const owner = await stat(folder).catch(() => undefined);
  if (uid === 0) return chooseForRoot(dataDir, owner);
  if (owner !== undefined && owner.uid !== uid) {
    throw failure(
      `${folder} belongs to another user (uid ${owner.uid}): start Colophon as that user or as root.`,
    );
  }
  return { uid, gid: process.getegid?.() ?? uid, switched: false };
}

type Owner = { readonly uid: number; readonly gid: number };

async function chooseForRoot(dataDir: string, owner: Owner | undefined): Promise<RunUser> {
  const accounts = await readAccounts();
  const isPerson = ({ uid }: Owner) =>
    accounts.some((one) => one.uid === uid && uid !== 0 && one.name !== 'nobody');
  const isOwn = ({ uid }: Owner) => inOwnRange(uid) && !accounts.some((one) => one.uid === uid);
  if (owner !== undefined && (isPerson(owner) || isOwn(owner)))
    return { uid: owner.uid, gid: owner.gid, switched: true };
  const parent = await stat(dataDir);
  if (isPerson(parent)) return { uid: parent.uid, gid: parent.gid, switched: true };
  return ownUser(dataDir);
}

/**
 * Who makes the database for `user`: initdb refuses a user without an account, whom it is given to afterwards.
 * Throws when there is nobody.
 */
export async function chooseBuilder(user: RunUser): Promise<RunUser> {
  const accounts = await readAccounts();
  if (!user.switched || accounts.some(({ uid }) => uid === user.uid)) return user;
  const nobody = accounts.find(({ name }) => name === 'nobody');
  if (nobody === undefined) {
    throw failure(
      `PostgreSQL may not run as root and there is no user nobody: start Colophon as an ordinary user, ${orExternal}.`,
    );
  }
  return { uid: nobody.uid, gid: nobody.gid, switched: true };
}

/** Throws for a user without an account, for whom initdb refuses to make a database. */
export function requireAccount(user: RunUser): void {
  if (user.switched) return;
  try {
    userInfo();
  } catch (error) {
    throw failure(
      `User id ${user.uid} has no entry in /etc/passwd and PostgreSQL cannot make a database for it: add one, start as another user, ${orExternal}.`,
      error,
    );
  }
}

/** By the folder and what lies directly in it: all files of a big database would take long to look at. */
async function isGiven(folder: string, { uid }: RunUser): Promise<boolean> {
  const names = await readdir(folder);
  const found = await Promise.all(['', ...names].map((name) => lstat(join(folder, name))));
  return found.every((one) => one.uid === uid);
}

/**
 * Gives a folder that root made or copied, with all in it, to the user that runs the server; also when only a file in
 * it is root's, as an editor leaves one.
 */
export async function giveFolder(folder: string, user: RunUser): Promise<void> {
  if (!user.switched || (await isGiven(folder, user))) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  // Last, so that a start cut off half-way begins again.
  await chown(folder, user.uid, user.gid);
}

/** Whether `user` may enter `folder` and every folder above it, by their mode bits. */
export async function canEnter(user: RunUser, folder: string): Promise<boolean> {
  if (!user.switched) return true;
  const { mode, uid, gid } = await stat(folder);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || canEnter(user, parent);
}

type Account = { name: string; uid: number; gid: number };

async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || name.startsWith('#') || uid === undefined || gid === undefined)
      return [];
    // macOS writes nobody as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}
