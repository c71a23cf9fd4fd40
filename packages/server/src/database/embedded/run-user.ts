// Which user the database server runs as: PostgreSQL refuses root.

import { createHash } from 'node:crypto';
import { chown, lchown, readFile, readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { failure, orExternal } from './failure.ts';

/** `switched` says that the server runs as somebody else than this process. */
export type RunUser = { uid: number; gid: number; switched: boolean };

/** User ids of systemd for users without an account: below the 65,536 that a container may have, given to nobody else. */
const FIRST = 61_184;
const LAST = 65_519;

/** A user id for one part of the service on this data folder, which has no account and so owns nothing else. */
async function ownUser(dataDir: string, part: string): Promise<RunUser> {
  const taken = new Set((await readAccounts()).flatMap(({ uid, gid }) => [uid, gid]));
  const start = createHash('sha256').update(`${part}\n${dataDir}`).digest().readUInt32BE();
  for (let step = 0; ; step += 1) {
    const uid = FIRST + ((start + step) % (LAST - FIRST + 1));
    if (!taken.has(uid)) return { uid, gid: uid, switched: true };
  }
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
  const isOwn = ({ uid }: Owner) =>
    uid >= FIRST && uid <= LAST && !accounts.some((one) => one.uid === uid);
  if (owner !== undefined && (isPerson(owner) || isOwn(owner)))
    return { uid: owner.uid, gid: owner.gid, switched: true };
  const parent = await stat(dataDir);
  if (isPerson(parent)) return { uid: parent.uid, gid: parent.gid, switched: true };
  return ownUser(dataDir, 'database');
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

/** Gives a folder that root made or copied, with all in it, to the user that runs the server. */
export async function giveFolder(folder: string, user: RunUser): Promise<void> {
  if (!user.switched || (await stat(folder)).uid === user.uid) return;
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
