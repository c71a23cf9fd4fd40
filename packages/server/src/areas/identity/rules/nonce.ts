// Nonces: 256 random bits that are shown once and stored as their SHA-256.
import { hash, randomBytes } from 'node:crypto';

/** Returns the SHA-256 of a nonce's text, 32 bytes, under which it is stored. */
export function hashNonce(nonce: string): Buffer {
  return hash('sha256', nonce, 'buffer');
}

/**
 * Returns a fresh nonce: 43 characters of base64url for the recipient, and the hash, which alone is stored.
 */
export function mintNonce(): { readonly nonce: string; readonly hash: Buffer } {
  const nonce = randomBytes(32).toString('base64url');
  return { nonce, hash: hashNonce(nonce) };
}
