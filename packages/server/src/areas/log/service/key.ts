// The key that signs checkpoints: a file outside of the database, made at the first start.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { verifierKeyOf, writeVerifierKey, emptyRoot } from '@colophon/tlog';
import type { NoteSignature, VerifierKey } from '@colophon/tlog';
import type { Config } from '#config';
import type { Database } from '#database';
import { sha256 } from '#lib/sha256';
import { writeNew } from '#storage';
import {
  findHead,
  insertHead,
  insertLogKey,
  listLogKeys,
  lockHead,
  setOrigin,
} from '../queries/index.ts';
import { logOrigin } from '../rules/origin.ts';
import { activeKeys } from '../rules/signing-keys.ts';

/** A key of the log with its private half. */
export interface LogKeyPair {
  readonly key: VerifierKey;
  /** `name+id+key`, as clients get it. */
  readonly verifierKey: string;
  readonly sign: (text: string) => NoteSignature;
}

/** Returns the 32 bytes of the public half. */
export function publicBytes(key: KeyObject): Buffer {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}

function pairOf(origin: string, privateKey: KeyObject): LogKeyPair {
  const key = verifierKeyOf(sha256, origin, 1, publicBytes(privateKey));
  return {
    key,
    verifierKey: writeVerifierKey(key),
    sign: (text) => ({ ...key, signature: sign(null, Buffer.from(text), privateKey) }),
  };
}

/** @throws Error in a sentence for the operator: the file is not an Ed25519 key */
export function parseKey(pem: Buffer, file: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The sentence below says it, without a part of the key.
  }
  throw new Error(
    `${file} is not an Ed25519 private key in PEM: put the key of the log there again.`,
  );
}

/** Reads a key from its file; undefined if there is none. @throws Error in a sentence for the operator */
export async function readKey(origin: string, file: string): Promise<LogKeyPair | undefined> {
  const pem = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(
      `${file} cannot be read (${error.code}): let the service read the key of the log, or set LOG_KEY_FILE to another file.`,
    );
  });
  return pem === undefined ? undefined : pairOf(origin, parseKey(pem, file));
}

/**
 * Makes a key and stores it durably, readable by the service only. It never replaces a key that is there.
 * @throws Error in a sentence for the operator: the file cannot be written
 */
export async function makeKey(origin: string, file: string): Promise<LogKeyPair> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = Buffer.from(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  await writeNew(file, pem).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(
      `${file} cannot be written (${cause.code}): set LOG_KEY_FILE to a file in a folder that this user can write.`,
      { cause },
    );
  });
  return pairOf(origin, privateKey);
}

/** The file of the key before the last rotation, which signs too until the rotation ends. */
export const previousFile = (file: string) => `${file}.previous`;

/** The keys that sign now, the newest first, or why nothing is signed. */
export type Signers = readonly [LogKeyPair, ...LogKeyPair[]] | { readonly refusal: string };

/** Reads the keys from their files, and compares them with those of the database. */
export async function openSigners(
  origin: string,
  { logKeyFile: file }: Pick<Config, 'logKeyFile'>,
  active: readonly string[],
): Promise<Signers> {
  const files = [file, previousFile(file)];
  const read = await Promise.all(files.map((one) => readKey(origin, one))).catch(
    ({ message }: Error) => ({ refusal: message }),
  );
  if ('refusal' in read) return read;
  const [newest, previous] = read;
  if (newest === undefined)
    return {
      refusal: `The key of the transparency log is missing: put ${file} there again, as it was when the log was started. If it is lost, run npm run admin -- log rotate-key --lost.`,
    };
  if (!active.includes(newest.verifierKey))
    return {
      refusal: `${file} is not the key of this transparency log, which is ${active.join(' or ')}: put that key there again.`,
    };
  // A rotation that was killed leaves two copies of one key.
  const isOther = previous !== undefined && previous.verifierKey !== newest.verifierKey;
  return isOther && active.includes(previous.verifierKey) ? [newest, previous] : [newest];
}

/** Returns the keys of the database that sign. */
export async function listActiveKeys(
  db: Parameters<typeof listLogKeys>[0],
): Promise<readonly string[]> {
  return activeKeys(await listLogKeys(db));
}

/** Returns why the key could not sign now, in a sentence for the operator; undefined if it could. */
export async function findKeyFault({
  db,
  config,
}: {
  readonly db: Parameters<typeof listLogKeys>[0];
  readonly config: Pick<Config, 'logKeyFile'>;
}): Promise<string | undefined> {
  const head = await findHead(db);
  if (head === undefined) return undefined;
  const signers = await openSigners(head.origin, config, await listActiveKeys(db));
  return 'refusal' in signers ? signers.refusal : undefined;
}

/**
 * Starts the log: stores its name and the head of the empty tree, and makes its key. Later starts change nothing,
 * but a log without leaves takes the present name: many a service is started once before its address is set.
 * Several processes may start at once: they wait for each other at the head.
 */
export async function startLog({
  db,
  config: { baseUrl, logKeyFile: file },
  now,
}: {
  readonly db: Database;
  readonly config: Pick<Config, 'baseUrl' | 'logKeyFile'>;
  readonly now: () => Date;
}): Promise<void> {
  const origin = logOrigin(baseUrl);
  await db.transaction(async (tx) => {
    const empty = Buffer.from(emptyRoot(sha256)).toString('hex');
    void insertHead(tx, origin, empty);
    const head = await lockHead(tx);
    if (head === undefined) return;
    const isUnnamed = head.size === 0 && head.origin !== origin;
    if (isUnnamed) await setOrigin(tx, origin);
    if ((await listLogKeys(tx)).length > 0) return;
    const name = isUnnamed ? origin : head.origin;
    const made = (await readKey(name, file)) ?? (await makeKey(name, file));
    void insertLogKey(tx, made.verifierKey, now());
  });
}
