// Secrets that name the bucket of their row: cookies of sessions, and one-time links.
import { hash, randomBytes } from 'node:crypto';

const SECRET = /^([0-9a-f]{3})[\w-]{43}$/;

export interface Secret {
  readonly bucket: number;
  /** SHA-256 of the whole text, under which it is stored. */
  readonly hash: Buffer;
}

/** Returns 256 random bits as text, after the bucket in three hexadecimal digits. */
export function mintSecret(bucket: number): Secret & { readonly text: string } {
  const text = bucket.toString(16).padStart(3, '0') + randomBytes(32).toString('base64url');
  return { text, bucket, hash: hash('sha256', text, 'buffer') };
}

/** Returns where to find a secret; undefined for what `mintSecret` cannot have returned. */
export function readSecret(text: string): Secret | undefined {
  const bucket = SECRET.exec(text)?.[1];
  if (bucket === undefined) return undefined;
  return { bucket: Number.parseInt(bucket, 16), hash: hash('sha256', text, 'buffer') };
}
