// Chooses the user that runs the database server: PostgreSQL refuses root.

import { chown, lchown, lstat, readFile, readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { idsIn, inOwnRange, ownIdOf } from '#runtime';
import { failure, orExternal } from './failure.ts';

/** `switched`: the server runs as a different user than this process. */
export type RunUser = { uid: number; gid: number; switched: boolean };

/** Returns a user id for the database of this data folder, which has no account and so owns nothing else. */
async function ownUser(dataDir: string): Promise<RunUser> {
  const texts = ['/etc/passwd', '/etc/group'].map((file) => readFile(file, 'utf8').catch(() => ''));
  const uid = ownIdOf('database', dataDir, idsIn(...(await Promise.all(texts))));
  return { uid, gid: uid, switched: true };
}

/**
 * Returns the current user, unless it is root: then the owner of the database folder or of the data folder,
 * if that is a person or a service, and otherwise a dedicated user. `nobody` does not count as dedicated:
 * other programs run as it. `folder` need not exist.
 * @throws Error if the folder belongs to another user
 */
export async function chooseRunUser(dataDir: string, folder: string): Promise<RunUser> {
  const uid = process.geteuid?.() ?? 0;
  const owner = await stat(folder).catch(() => undefined);
  if (uid === 0) return chooseForRoot(dataDir, owner);
  if (owner !== undefined && owner.uid !== uid) {
    throw failure(
      `${folder} belongs to another user (uid ${owner.uid}), as after a start as root: give this user the folder of DATA_DIR (chown -R USER ${dataDir}), or start as root.`,
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
 * Returns the user that creates the database for `user`: `nobody` if `user` has no account,
 * because initdb refuses such a user. `giveFolder` then gives the folder to `user`.
 * @throws Error if there is no such user
 */
export async function chooseBuilder(user: RunUser): Promise<RunUser> {
  const accounts = await readAccounts();
  if (!user.switched || accounts.some(({ uid }) => uid === user.uid)) return user;
  const nobody = accounts.find(({ name }) => name === 'nobody');
  if (nobody === undefined) {
    throw failure(
      `PostgreSQL cannot run as root, and this machine has no user nobody: start Colophon as an ordinary user, ${orExternal}.`,
    );
  }
  return { uid: nobody.uid, gid: nobody.gid, switched: true };
}

/**
 * Refuses a user without an account, for whom initdb does not create a database.
 * @throws Error with a message for the operator
 */
export function requireAccount(user: RunUser): void {
  if (user.switched) return;
  try {
    userInfo();
  } catch (error) {
    throw failure(
      `User id ${user.uid} has no entry in /etc/passwd, so PostgreSQL cannot create a database for it: add an entry, start as another user, ${orExternal}.`,
      error,
    );
  }
}

/**
 * Whether the folder and its direct entries belong to the user: checking all files of a large database would
 * take long.
 */
async function isGiven(folder: string, { uid }: RunUser): Promise<boolean> {
  const names = await readdir(folder);
  const found = await Promise.all(['', ...names].map((name) => lstat(join(folder, name))));
  return found.every((one) => one.uid === uid);
}

/**
 * Gives a folder that root created or copied, with its content, to the user that runs the server; even if
 * only a file in it belongs to root, for example after editing.
 */
export async function giveFolder(folder: string, user: RunUser): Promise<void> {
  if (!user.switched || (await isGiven(folder, user))) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  // Last, so that an interrupted start repeats it.
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
    // macOS writes the id of nobody as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}
