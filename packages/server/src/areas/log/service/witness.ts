// This service as a witness: it cosigns checkpoints of other logs that continue what it has seen (C2SP tlog-witness).
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import {
  cosignatureMessage,
  emptyRoot,
  isKeyOf,
  verifierKeyOf,
  writeCosignature,
  writeNote,
  writeSignatureLine,
  writeVerifierKey,
} from '@colophon/tlog';
import type { NoteSignature, VerifierKey } from '@colophon/tlog';
import type { Config } from '#config';
import type { Database, Db } from '#database';
import { sha256Hex } from '#lib/canonical-json';
import { sha256 } from '#lib/sha256';
import { writeWhole } from '#storage';
import { findWitnessed, lockWitnessed, setWitnessed } from '../queries/index.ts';
import { witnessName } from '../rules/origin.ts';
import { parseRequest, requireContinuation, requireSigned } from '../rules/witness-requests.ts';
import { parseKey, publicBytes } from './key.ts';

export interface Reply {
  readonly status: 200 | 409;
  readonly contentType: string;
  readonly body: string;
}

export interface WitnessKey {
  readonly key: VerifierKey;
  /** `name+id+key`, of type 4. */
  readonly verifierKey: string;
  readonly cosign: (text: string, now: Date) => NoteSignature;
}

const text = 'text/plain; charset=utf-8';
const emptyHex = Buffer.from(emptyRoot(sha256)).toString('hex');

/** @throws Error in a sentence for the operator */
function refuseKeyFile(file: string, cause: NodeJS.ErrnoException): never {
  throw new Error(
    `${file} cannot be read or written (${cause.code}): set LOG_WITNESS_KEY_FILE to a file in a folder that this user can write.`,
    { cause },
  );
}

/** Makes the key if there is none. Several processes may do so at once: one of them wins. */
async function makeWitnessKey(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeWhole(draft, Buffer.from(privateKey.export({ format: 'pem', type: 'pkcs8' })));
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
}

/**
 * Opens the key with which this service cosigns; makes it first if there is none.
 * @throws Error in a sentence for the operator: the file cannot be read or written, or is not a key
 */
export async function openWitnessKey({
  logWitnessKeyFile: file,
  baseUrl,
}: Pick<Config, 'logWitnessKeyFile' | 'baseUrl'>): Promise<WitnessKey> {
  const read = () => readFile(file);
  const pem = await read()
    .catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await makeWitnessKey(file);
      return read();
    })
    .catch((error: NodeJS.ErrnoException) => refuseKeyFile(file, error));
  const privateKey = parseKey(pem, file);
  const key = verifierKeyOf(sha256, witnessName(baseUrl), 4, publicBytes(privateKey));
  return {
    key,
    verifierKey: writeVerifierKey(key),
    cosign: (checkpoint, now) => {
      const seconds = Math.floor(now.getTime() / 1_000);
      const signature = sign(null, cosignatureMessage(seconds, checkpoint), privateKey);
      return { name: key.name, keyId: key.keyId, signature: writeCosignature(seconds, signature) };
    },
  };
}

export interface WitnessServices {
  readonly db: Database;
  readonly config: Pick<Config, 'witnessedLogs'>;
  readonly key: WitnessKey;
  now(): Date;
}

/**
 * Answers add-checkpoint: with a cosignature that is stored before it is sent, or with the size that was cosigned
 * last.
 * @throws invalid-request, forbidden, not-found, validation-failed
 */
export async function addCheckpoint(body: string, services: WitnessServices): Promise<Reply> {
  const { db, config, key, now } = services;
  const request = parseRequest(body);
  const { note, checkpoint } = request;
  const { origin, size, root } = checkpoint;
  const keys = config.witnessedLogs.flatMap((log) => (log.key.name === origin ? [log.key] : []));
  await requireSigned(request, keys);
  return db.transaction(async (tx) => {
    const seen = await lockWitnessed(tx, origin, emptyHex);
    if (request.oldSize !== seen.size)
      return { status: 409, contentType: 'text/x.tlog.size', body: `${seen.size}\n` } as const;
    requireContinuation(request, seen);
    const cosignature = key.cosign(note.text, now());
    const own = note.signatures.filter((line) => keys.some((one) => isKeyOf(one, line)));
    const cosigned = writeNote(note.text, [...own, cosignature]);
    const stored = { size, root: Buffer.from(root).toString('hex'), checkpoint: cosigned };
    void setWitnessed(tx, origin, stored, now());
    return { status: 200, contentType: text, body: writeSignatureLine(cosignature) } as const;
  });
}

/** Returns the newest cosigned checkpoint of the log whose origin has this SHA-256; undefined if there is none. */
export async function readWitnessed(
  db: Db,
  { witnessedLogs }: Pick<Config, 'witnessedLogs'>,
  hash: string,
): Promise<string | undefined> {
  const origin = witnessedLogs.map((log) => log.key.name).find((name) => sha256Hex(name) === hash);
  return origin === undefined ? undefined : findWitnessed(db, origin);
}
