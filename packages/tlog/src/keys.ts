// Keys of notes, and which signatures of a note they verify (C2SP signed-note, tlog-cosignature).
import { concat, fromBase64, read32, toBase64, toHex32 } from './encoding.ts';
import type { Sha256 } from './hashing.ts';
import { isKeyName } from './note.ts';
import type { Note, NoteSignature } from './note.ts';

/** What a key signs: 1 the text of the note; 4 that text with a time, as a witness does. Both Ed25519. */
export type NoteAlgorithm = 1 | 4;

export interface VerifierKey {
  readonly name: string;
  readonly keyId: number;
  readonly algorithm: NoteAlgorithm;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Whether an Ed25519 signature (64 bytes) is over a message, by a key (32 bytes). */
export type VerifySignature = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean | Promise<boolean>;

const encoder = new TextEncoder();

/** Returns the id of a key: the first four bytes of a hash of its name, algorithm and public key. */
export function noteKeyId(
  sha256: Sha256,
  name: string,
  algorithm: NoteAlgorithm,
  publicKey: Uint8Array,
): number {
  return read32(sha256(encoder.encode(`${name}\n`), Uint8Array.of(algorithm), publicKey));
}

function isAlgorithm(value: number | undefined): value is NoteAlgorithm {
  return value === 1 || value === 4;
}

/** Reads `name+id+key`; returns undefined unless it is an Ed25519 key of a log or a witness, with its own id. */
export function parseVerifierKey(sha256: Sha256, text: string): VerifierKey | undefined {
  const parts = /^([^+]+)\+[0-9a-f]{8}\+(.+)$/.exec(text);
  const [, name = '', base64 = ''] = parts ?? [];
  const bytes = fromBase64(base64);
  if (!isKeyName(name) || bytes?.length !== 33 || !isAlgorithm(bytes[0])) return undefined;
  const key = verifierKeyOf(sha256, name, bytes[0], bytes.subarray(1));
  return writeVerifierKey(key) === text ? key : undefined;
}

/** Writes a key as `name+id+key`. @throws TypeError for a name that no key can have */
export function writeVerifierKey({ name, keyId, algorithm, publicKey }: VerifierKey): string {
  if (!isKeyName(name) || publicKey.length !== 32)
    throw new TypeError('A key has a name without white space and plus, and 32 bytes.');
  return `${name}+${toHex32(keyId)}+${toBase64(concat(Uint8Array.of(algorithm), publicKey))}`;
}

/** Returns the key with its id. */
export function verifierKeyOf(
  sha256: Sha256,
  name: string,
  algorithm: NoteAlgorithm,
  publicKey: Uint8Array,
): VerifierKey {
  return { name, keyId: noteKeyId(sha256, name, algorithm, publicKey), algorithm, publicKey };
}

/** Returns what a witness signs: that it saw the text of a checkpoint at a time, in seconds since 1970. */
export function cosignatureMessage(timestamp: number, checkpointText: string): Uint8Array {
  return encoder.encode(`cosignature/v1\ntime ${timestamp}\n${checkpointText}`);
}

/** Returns the bytes of a cosignature: the time, as eight bytes, and the signature of 64. */
export function writeCosignature(timestamp: number, signature: Uint8Array): Uint8Array {
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, BigInt(timestamp));
  return concat(time, signature);
}

/** A signature that its key verifies. `timestamp` is the second in which a witness signed, else null. */
export interface Verified {
  readonly key: VerifierKey;
  readonly timestamp: number | null;
}

/** What the known keys say about a note. `forged` is the key whose signature does not verify. */
export interface NoteCheck {
  readonly verified: readonly Verified[];
  readonly forged: VerifierKey | null;
}

interface Signed {
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly timestamp: number | null;
}

function signedOf(key: VerifierKey, text: string, bytes: Uint8Array): Signed | undefined {
  if (key.algorithm === 1)
    return { message: encoder.encode(text), signature: bytes, timestamp: null };
  if (bytes.length !== 72) return undefined;
  const timestamp = read32(bytes) * 2 ** 32 + read32(bytes, 4);
  if (!Number.isSafeInteger(timestamp)) return undefined;
  const message = cosignatureMessage(timestamp, text);
  return { message, signature: bytes.subarray(8), timestamp };
}

/**
 * Verifies the signatures of the known keys; others are ignored. A note with a signature of a known key that
 * does not verify is forged, whatever else it contains. Each key counts once.
 */
export async function checkNote(
  { text, signatures }: Note,
  keys: readonly VerifierKey[],
  verify: VerifySignature,
): Promise<NoteCheck> {
  const verified: Verified[] = [];
  for (const line of signatures) {
    const key = keys.find((one) => isKeyOf(one, line));
    if (key === undefined || verified.some((one) => one.key === key)) continue;
    const signed = signedOf(key, text, line.signature);
    if (signed?.signature.length !== 64) return { verified: [], forged: key };
    const { message, signature, timestamp } = signed;
    if (!(await verify(signature, message, key.publicKey))) return { verified: [], forged: key };
    verified.push({ key, timestamp });
  }
  return { verified, forged: null };
}

/** Whether a signature line names a key. */
export function isKeyOf(key: VerifierKey, line: NoteSignature): boolean {
  return key.name === line.name && key.keyId === line.keyId;
}
