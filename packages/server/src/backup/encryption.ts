// Encryption of backups with age: to recipients, and from a file of identities.
import { readFile } from 'node:fs/promises';

/** Loaded when needed: with the algorithms that it brings it takes 60 ms. */
const age = () => import('age-encryption');

/** The first bytes of every file in the format of age. */
const magic = Buffer.from('age-encryption.org/v1\n');

/** Returns whether a file that begins with these bytes is encrypted. */
export function isEncrypted(beginning: Uint8Array): boolean {
  return magic.equals(beginning.subarray(0, magic.length));
}

async function encrypterTo(recipients: readonly string[]) {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      throw new Error(
        'A recipient is malformed: use the public key (age1…) that age-keygen printed.',
        { cause },
      );
    }
  }
  return encrypter;
}

/**
 * Checks recipients before a backup is begun.
 * @throws Error in a sentence for the operator: a recipient is malformed
 */
export async function requireRecipients(recipients: readonly string[]): Promise<void> {
  if (recipients.length > 0) await encrypterTo(recipients);
}

/**
 * Returns the stream encrypted to these recipients (`age1…`); unchanged if there are none.
 * @throws Error in a sentence for the operator: a recipient is malformed
 */
export async function encrypt(
  stream: ReadableStream<Uint8Array>,
  recipients: readonly string[],
): Promise<ReadableStream<Uint8Array>> {
  if (recipients.length === 0) return stream;
  return (await encrypterTo(recipients)).encrypt(stream);
}

/** Returns the lines of the file that are secret keys. */
async function identitiesIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`The identity file ${file} cannot be read: ${cause.message}.`, { cause });
  });
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (keys.length === 0)
    throw new Error(`${file} contains no line AGE-SECRET-KEY-…: name the file of age-keygen.`);
  return keys;
}

/**
 * Returns the decrypted stream.
 * @throws Error in a sentence for the operator
 */
export async function decrypt(
  stream: ReadableStream<Uint8Array>,
  identityFile: string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  if (identityFile === undefined)
    throw new Error('The backup is encrypted: add --identity FILE with the secret key of age.');
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  for (const key of await identitiesIn(identityFile)) {
    try {
      decrypter.addIdentity(key);
    } catch (cause) {
      throw new Error(`A secret key in ${identityFile} is malformed.`, { cause });
    }
  }
  return decrypter.decrypt(stream).catch((cause: Error) => {
    throw new Error(`The backup cannot be decrypted with ${identityFile}: ${cause.message}.`, {
      cause,
    });
  });
}
