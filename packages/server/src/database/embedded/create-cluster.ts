// Creates the database folder at the first start: complete, on disk and under its name, or not at all.

import { chown, mkdtemp, open, readFile, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { failure, orExternal } from './failure.ts';
import { runToEnd } from './launch.ts';
import type { Launcher } from './launch.ts';
import { chooseBuilder, giveFolder, requireAccount } from './run-user.ts';

/**
 * Returns the major version of the database in `folder`; undefined if the folder is empty or missing.
 * @throws Error if it contains anything else
 */
export async function readMajor(folder: string): Promise<number | undefined> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version !== undefined) return Number.parseInt(version, 10);
  const content = await readdir(folder).catch(() => []);
  if (content.length === 0) return undefined;
  throw failure(
    `${folder} contains files but no PostgreSQL database: move it away, or set DATA_DIR to another folder.`,
  );
}

/** Removes what interrupted starts left behind. Call it while holding the lock. */
export async function sweepUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (/^(?:postgres|binaries)\.new-/.test(name)) {
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** Creates `folder` with an empty database `colophon` owned by the user `colophon`. */
export async function createCluster(
  dataDir: string,
  folder: string,
  binaries: Binaries,
  launcher: Launcher,
): Promise<void> {
  requireAccount(launcher.user);
  const builder = { ...launcher, user: await chooseBuilder(launcher.user) };
  const side = await mkdtemp(join(dataDir, 'postgres.new-'));
  if (builder.user.switched) await chown(side, builder.user.uid, builder.user.gid);
  const sentence = `PostgreSQL could not create a database in ${dataDir}: see the reason, ${orExternal}`;
  await runToEnd(
    builder,
    { program: binaries.initdb, folder: side, args: initArguments },
    sentence,
  );
  const create = {
    program: binaries.postgres,
    folder: side,
    args: singleArguments,
    input: 'create database colophon\n',
  };
  await runToEnd(builder, create, sentence);
  // One sync at the end instead of a flush by each program.
  const sync = {
    program: binaries.initdb,
    folder: side,
    args: (name: string) => ['--sync-only', '-D', name],
  };
  await runToEnd(builder, sync, sentence);
  await giveFolder(side, launcher.user);
  await rmdir(folder).catch(() => undefined);
  await rename(side, folder);
  await using parent = await open(dataDir);
  await parent.sync();
}

function initArguments(folder: string): string[] {
  return [
    ['-D', folder, '--username=colophon', '--no-sync', '--no-instructions', '--data-checksums'],
    ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ['--auth-local=peer', '--auth-host=reject'],
  ].flat();
}

function singleArguments(folder: string): string[] {
  return ['--single', '-D', folder, '-c', 'fsync=off', '-c', 'log_checkpoints=off', 'postgres'];
}
