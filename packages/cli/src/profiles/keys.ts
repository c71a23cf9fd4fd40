// Signing keys of agents: one private file each, with the places where the key is registered.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Signer } from '@colophon/sdk';
import { failure, misuse } from '../failures.ts';
import { isObject, parseJson, toJson } from '../json.ts';
import type { Terminal } from '../terminal.ts';
import { readPrivate, writePrivate } from './private-file.ts';
import { checkProfileName, configFolder } from './profiles.ts';

export interface Registration {
  readonly url: string;
  readonly agent_id: string;
  readonly key_id: string;
}

export interface StoredKey {
  readonly secret_key: string;
  readonly public_key: string;
  readonly registrations: readonly Registration[];
}

type Env = Terminal['env'];

const folderOf = (env: Env) => join(configFolder(env), 'keys');
const fileOf = (env: Env, name: string) => join(folderOf(env), `${checkProfileName(name)}.json`);

function isKey(value: unknown): value is StoredKey {
  return (
    isObject(value) &&
    typeof value['secret_key'] === 'string' &&
    typeof value['public_key'] === 'string' &&
    Array.isArray(value['registrations'])
  );
}

/** Returns a key; undefined if there is none of this name. */
export async function findKey(env: Env, name: string): Promise<StoredKey | undefined> {
  const file = fileOf(env, name);
  const text = await readPrivate(file);
  if (text === undefined) return undefined;
  const key = parseJson(text);
  if (isKey(key)) return key;
  throw failure(`${file} is not a signing key.`, 'Restore it from a copy, or create another key.');
}

/** Returns a key. @throws Failure if there is none of this name */
export async function readKey(env: Env, name: string): Promise<StoredKey> {
  const key = await findKey(env, name);
  if (key !== undefined) return key;
  throw misuse(`There is no key "${name}".`, `Create it: colophon key create ${name}`);
}

/** Returns what signs with a key. @throws Failure for a damaged one, without its content */
export async function signerFor(name: string, { secret_key }: StoredKey): Promise<Signer> {
  const { signerOf } = await import('@colophon/sdk');
  return signerOf(secret_key).catch(() => {
    throw failure(
      `The key "${name}" is damaged: its file contains no Ed25519 secret key.`,
      'Restore the file from a copy, or create another key and register it.',
    );
  });
}

/** Stores a key. */
export async function writeKey(env: Env, name: string, key: StoredKey): Promise<void> {
  await writePrivate(fileOf(env, name), `${toJson(key, 2)}\n`);
}

/** Returns the names of all keys, sorted. */
export async function listKeys(env: Env): Promise<readonly string[]> {
  const files = await readdir(folderOf(env)).catch(() => []);
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();
}
