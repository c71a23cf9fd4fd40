// Profiles: one account on one service each, in a private file of its own.
import { readdir, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { failure, misuse } from '../failures.ts';
import { wordsOf } from '../file-trouble.ts';
import { isObject, parseJson, toJson } from '../json.ts';
import type { Terminal } from '../terminal.ts';
import { readIfPresent, readPrivate, writePrivate } from './private-file.ts';

export interface Profile {
  readonly url: string;
  readonly token: string;
  readonly principal_id: string;
  readonly username: string;
}

const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

type Env = Terminal['env'];

/** Returns the folder of settings: `$XDG_CONFIG_HOME/colophon`. */
export function configFolder(env: Env): string {
  return join(folderIn(env, 'XDG_CONFIG_HOME') ?? join(homedirOf(env), '.config'), 'colophon');
}

/** Returns the folder of unfinished work: `$XDG_STATE_HOME/colophon`. */
export function stateFolder(env: Env): string {
  const base = folderIn(env, 'XDG_STATE_HOME') ?? join(homedirOf(env), '.local', 'state');
  return join(base, 'colophon');
}

/**
 * Returns the folder that a variable names. An empty or relative one names none, as the XDG specification says: tokens
 * would be stored in whatever folder the program runs in.
 */
function folderIn(env: Env, name: string): string | undefined {
  const folder = env[name];
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

function homedirOf(env: Env): string {
  const named = folderIn(env, 'HOME') ?? folderIn(env, 'USERPROFILE');
  if (named !== undefined) return named;
  try {
    return userInfo().homedir;
  } catch {
    // An account without an entry, as in a container.
    throw failure('There is no home folder.', 'Name one with HOME.');
  }
}

export const isProfileName = (name: string) => namePattern.test(name);

/** @throws Failure for a name that is not a file name */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw misuse(
    `"${name}" cannot be the name of a profile.`,
    'Use 1 to 64 letters, digits, dots, underscores and hyphens.',
  );
}

const fileOf = (env: Env, name: string) =>
  join(configFolder(env), 'profiles', `${checkProfileName(name)}.json`);
const currentFile = (env: Env) => join(configFolder(env), 'current-profile');

function isProfile(value: unknown): value is Profile {
  const names = ['url', 'token', 'principal_id', 'username'] as const;
  return isObject(value) && names.every((name) => typeof value[name] === 'string');
}

/** Returns a profile; undefined if there is none of this name. */
export async function readProfile(env: Env, name: string): Promise<Profile | undefined> {
  const file = fileOf(env, name);
  const text = await readPrivate(file);
  if (text === undefined) return undefined;
  const profile = parseJson(text);
  if (isProfile(profile)) return profile;
  throw failure(
    `${file} is not a profile.`,
    `Remove it (colophon profile remove ${name}), then add it: colophon profile add ${name} --url URL`,
  );
}

/** More than a profile has: a full disk still creates files without content. */
const probe = ' '.repeat(16_384);

/** Writes and removes a file in the folder of profiles. @throws Failure if that is impossible */
export async function checkWritable(env: Env): Promise<void> {
  const file = join(configFolder(env), 'profiles', '.probe');
  try {
    await writePrivate(file, probe);
    // Another program may check at the same time, and remove it first.
    await rm(file, { force: true });
  } catch (error) {
    throw failure(
      `Cannot store a token. ${wordsOf(error)}`,
      'Make the folder writable, or name another one with XDG_CONFIG_HOME.',
    );
  }
}

/** Stores a profile. The first one becomes the current one. */
export async function writeProfile(env: Env, name: string, profile: Profile): Promise<void> {
  await writePrivate(fileOf(env, name), `${toJson(profile, 2)}\n`);
  if ((await currentProfile(env)) === undefined) await selectProfile(env, name);
}

/** Returns the name of the profile in use, if there is one. */
export async function currentProfile(env: Env): Promise<string | undefined> {
  return (await readIfPresent(currentFile(env)))?.trim();
}

/** Makes a profile the current one. */
export async function selectProfile(env: Env, name: string): Promise<void> {
  await writePrivate(currentFile(env), `${checkProfileName(name)}\n`);
}

/** Removes a profile with its token. */
export async function removeProfile(env: Env, name: string): Promise<void> {
  await rm(fileOf(env, name), { force: true });
  if ((await currentProfile(env)) === name) await rm(currentFile(env), { force: true });
}

/** Returns the names of all profiles, sorted. */
export async function listProfiles(env: Env): Promise<readonly string[]> {
  const files = await readdir(join(configFolder(env), 'profiles')).catch(() => []);
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();
}
