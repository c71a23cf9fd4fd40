// Ed25519 signatures (RFC 8032), so strict that all sound verifiers agree on what is accepted here.
import { createPublicKey, hash, verify as verifyExactly } from 'node:crypto';
import { hashes, Point, verify } from '@noble/ed25519';

/** Bytes of a public key. */
export const PUBLIC_KEY_BYTES = 32;
/** Bytes of a signature: R, then S. */
export const SIGNATURE_BYTES = 64;

// The synchronous half of the library contains no hash function.
hashes.sha512 = (message) => new Uint8Array(hash('sha512', message, 'buffer'));

/**
 * Decodes canonical bytes to a point (RFC 8032 section 5.1.3); returns undefined when they encode no point.
 */
function pointOf(bytes: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Whether 32 bytes are a sound public key: the one canonical encoding of a point on the curve that has the
 * group's full prime order. With a key of small order, signatures verify that were never made; a key with a
 * small-order component makes verifiers disagree. No honest key pair has either.
 */
export function isSoundPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== PUBLIC_KEY_BYTES) return false;
  const point = pointOf(bytes);
  return point !== undefined && !point.isSmallOrder() && point.isTorsionFree();
}

/**
 * Checks the equation without cofactor, compares R byte by byte and requires S below the group order, as most
 * verifiers do.
 */
function verifiesExactly(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verifyExactly(null, message, key, signature);
}

/**
 * Verifies like `verifySignature`, for a key that is known to be sound, at a third less cost. For any key, a
 * non-canonical S or R and a key or R of small order are rejected here too.
 */
export function verifyBySoundKey(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  if (signature.length !== SIGNATURE_BYTES || publicKey.length !== PUBLIC_KEY_BYTES) return false;
  // The cheap check first: it costs a twentieth and rejects nearly all invalid signatures.
  if (!verifiesExactly(signature, message, publicKey)) return false;
  const r = pointOf(signature.subarray(0, 32));
  if (r === undefined || r.isSmallOrder()) return false;
  return verify(signature, message, publicKey, { zip215: false });
}

/**
 * Whether the 64 bytes are a signature over the message by the 32 bytes of the public key (RFC 8032 section
 * 5.1.7): canonical S and R, R not of small order, a sound key, and the equation both with the cofactor and
 * without. Returns false for everything else, including wrong lengths; never throws.
 */
export function verifySignature(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  return verifyBySoundKey(signature, message, publicKey) && isSoundPublicKey(publicKey);
}
