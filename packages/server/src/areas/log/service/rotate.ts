// Replaces the key of the log. For a while both keys sign, so that who knows one of them learns of the other.
import { readFile, rename, rm } from 'node:fs/promises';
import type { Config } from '#config';
import type { Database } from '#database';
import { writeWhole } from '#storage';
import {
  findHead,
  insertLogKey,
  lockHead,
  setLogKeyRetired,
  setUnpublished,
} from '../queries/index.ts';
import { listActiveKeys, makeKey, openSigners, previousFile, readKey } from './key.ts';

interface Rotating {
  readonly db: Database;
  readonly config: Config;
  now(): Date;
}

async function requireStarted({ db }: Rotating): Promise<string> {
  const head = await findHead(db);
  if (head !== undefined) return head.origin;
  throw new Error('The log has not been started: start the service once.');
}

/** The new key before it is in place. */
const nextOf = (file: string) => `${file}.next`;

/** Has the sequencer sign the published tree again, with the keys of now. */
async function signAgain({ db }: Rotating): Promise<void> {
  await db.transaction((tx) => setUnpublished(tx));
}

/**
 * Makes a new key. From now on it signs, and the present one beside it until `endRotation`. A run that was killed
 * is continued by the next one. Returns the new verifier key.
 * @throws Error in a sentence for the operator
 */
export async function rotateKey(rotating: Rotating): Promise<string> {
  const { db, config, now } = rotating;
  const { logKeyFile: file } = config;
  const origin = await requireStarted(rotating);
  const signers = await openSigners(origin, config, await listActiveKeys(db));
  if ('refusal' in signers) throw new Error(signers.refusal);
  if (signers.length > 1) {
    await signAgain(rotating);
    throw new Error('The key is being replaced already: end that with log rotate-key --finish.');
  }
  const nextFile = nextOf(file);
  const next = (await readKey(origin, nextFile)) ?? (await makeKey(origin, nextFile));
  await db.transaction(async (tx) => {
    await lockHead(tx);
    void insertLogKey(tx, next.verifierKey, now());
  });
  await writeWhole(previousFile(file), await readFile(file));
  await rename(nextFile, file);
  await signAgain(rotating);
  return next.verifierKey;
}

/** Ends the use of the key before the present one. Returns its verifier key; undefined if there was none. */
export async function endRotation(rotating: Rotating): Promise<string | undefined> {
  const { db, config, now } = rotating;
  const { logKeyFile: file } = config;
  const origin = await requireStarted(rotating);
  if ((await readKey(origin, nextOf(file))) !== undefined)
    throw new Error('The new key is not in place yet: run log rotate-key again first.');
  const previous = await readKey(origin, previousFile(file));
  if (previous === undefined) return undefined;
  await db.transaction(async (tx) => {
    await lockHead(tx);
    void setLogKeyRetired(tx, previous.verifierKey, now());
    void setUnpublished(tx);
  });
  await rm(previousFile(file), { force: true });
  return previous.verifierKey;
}

/**
 * Begins with a new key because the present one is lost: nobody can sign for that change, so that readers must be
 * informed in another way.
 */
export async function replaceLostKey(rotating: Rotating): Promise<string> {
  const { db, config, now } = rotating;
  const origin = await requireStarted(rotating);
  const active = await listActiveKeys(db);
  const signers = await openSigners(origin, config, active);
  if (!('refusal' in signers))
    throw new Error('The key is not lost: run log rotate-key, so that it signs for the new one.');
  const made =
    (await readKey(origin, config.logKeyFile)) ?? (await makeKey(origin, config.logKeyFile));
  await db.transaction(async (tx) => {
    await lockHead(tx);
    for (const key of active) void setLogKeyRetired(tx, key, now());
    void insertLogKey(tx, made.verifierKey, now());
    void setUnpublished(tx);
  });
  return made.verifierKey;
}
