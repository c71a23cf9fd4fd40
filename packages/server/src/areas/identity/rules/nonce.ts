// Nonces: 256 random bits that are shown once and stored as their SHA-256.
import { hash, randomBytes } from 'node:crypto';

/** What a nonce is stored and found by: SHA-256 of its text, 32 bytes. */
export function hashNonce(nonce: string): Buffer {
  return hash('sha256', nonce, 'buffer');
}

/** A fresh nonce: 43 characters of base64url, to be told to whoever it is for; only `hash` is stored. */
export function mintNonce(): { readonly nonce: string; readonly hash: Buffer } {
  const nonce = randomBytes(32).toString('base64url');
  return { nonce, hash: hashNonce(nonce) };
}
