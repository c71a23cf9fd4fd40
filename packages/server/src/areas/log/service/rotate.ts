// Replaces the key of the log. For a while both keys sign, so that clients that know one of them learn the other.
import { readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '#config';
import { openCopyLock } from '#database';
import type { Connection, Database } from '#database';
import { writeWhole } from '#storage';
import {
  findHead,
  insertLogKey,
  lockHead,
  setLogKeyRetired,
  setUnpublished,
} from '../queries/index.ts';
import { listActiveKeys, makeKey, openSigners, previousFile, readKey } from './key.ts';
import type { LogKeyPair } from './key.ts';

interface Rotating {
  readonly db: Database;
  readonly connection: Connection;
  readonly config: Config;
  now(): Date;
}

/** What is known once no other command changes the keys. */
interface LogKeys {
  readonly origin: string;
  readonly active: readonly string[];
}

async function requireStarted({ db }: Rotating): Promise<string> {
  const head = await findHead(db);
  if (head !== undefined) return head.origin;
  throw new Error('The log has not been started: start the service once.');
}

/** A command that was killed has the lock until the database notices that. */
const patienceMs = 10_000;
const retryMs = 100;

/**
 * Runs `work` while no other command changes the keys: two that read the files at the same time would each make a
 * key, and one of them would be lost.
 */
async function alone<T>(rotating: Rotating, work: (keys: LogKeys) => Promise<T>): Promise<T> {
  const origin = await requireStarted(rotating);
  for (let waited = 0; waited < patienceMs; waited += retryMs) {
    await using lock = await openCopyLock(rotating.connection, 'rotation');
    if (lock.isHeld) return await work({ origin, active: await listActiveKeys(rotating.db) });
    await wait(retryMs);
  }
  throw new Error('Another command changes the keys of the log: run this one when it has ended.');
}

/** The new key before it is in place. */
const nextOf = (file: string) => `${file}.next`;

/** Has the sequencer sign the published tree again, with the keys of now. */
async function signAgain({ db }: Rotating): Promise<void> {
  await db.transaction((tx) => setUnpublished(tx));
}

/** @throws Error in a sentence for the operator: a key of the database has no file, so that it never signs */
function requireFiles(active: readonly string[], pairs: readonly LogKeyPair[]): void {
  const dead = active.find((text) => pairs.every(({ verifierKey }) => verifierKey !== text));
  if (dead === undefined) return;
  throw new Error(`No file has the key ${dead}: end its use with log rotate-key --finish first.`);
}

async function addKey(rotating: Rotating, { origin, active }: LogKeys): Promise<string> {
  const { db, config, now } = rotating;
  const { logKeyFile: file } = config;
  const signers = await openSigners(origin, config, active);
  if ('refusal' in signers) throw new Error(signers.refusal);
  if (signers.length > 1) {
    await signAgain(rotating);
    throw new Error('The key is being replaced already: end that with log rotate-key --finish.');
  }
  const nextFile = nextOf(file);
  const prepared = await readKey(origin, nextFile);
  requireFiles(active, prepared === undefined ? signers : [...signers, prepared]);
  const next = prepared ?? (await makeKey(origin, nextFile));
  await db.transaction(async (tx) => {
    await lockHead(tx);
    void insertLogKey(tx, next.verifierKey, now());
  });
  await writeWhole(previousFile(file), await readFile(file));
  await rename(nextFile, file);
  await signAgain(rotating);
  return next.verifierKey;
}

/**
 * Makes a new key. From now on it signs, and the present one beside it until `endRotation`. A run that was killed
 * is continued by the next one. Returns the new verifier key.
 * @throws Error in a sentence for the operator
 */
export function rotateKey(rotating: Rotating): Promise<string> {
  return alone(rotating, (keys) => addKey(rotating, keys));
}

async function endOthers(
  { db, config, now }: Rotating,
  { origin, active }: LogKeys,
): Promise<readonly string[]> {
  const { logKeyFile: file } = config;
  if ((await readKey(origin, nextOf(file))) !== undefined)
    throw new Error('The new key is not in place yet: run log rotate-key again first.');
  const signers = await openSigners(origin, config, active);
  if ('refusal' in signers) throw new Error(signers.refusal);
  const others = active.filter((key) => key !== signers[0].verifierKey);
  if (others.length > 0)
    await db.transaction(async (tx) => {
      await lockHead(tx);
      for (const key of others) void setLogKeyRetired(tx, key, now());
      void setUnpublished(tx);
    });
  await rm(previousFile(file), { force: true });
  return others;
}

/** Ends the use of every key but the present one, also of one whose file is lost. Returns their verifier keys. */
export function endRotation(rotating: Rotating): Promise<readonly string[]> {
  return alone(rotating, (keys) => endOthers(rotating, keys));
}

async function addReplacement(
  { db, config, now }: Rotating,
  { origin, active }: LogKeys,
): Promise<string> {
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

/**
 * Begins with a new key because the present one is lost: nobody can sign for that change, so that readers must be
 * informed in another way.
 */
export function replaceLostKey(rotating: Rotating): Promise<string> {
  return alone(rotating, (keys) => addReplacement(rotating, keys));
}
