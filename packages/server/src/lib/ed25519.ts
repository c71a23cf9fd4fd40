// Ed25519 signatures (RFC 8032), so strictly that no two sound verifiers disagree about what is accepted here.
import { createPublicKey, hash, verify as verifyExactly } from 'node:crypto';
import { hashes, Point, verify } from '@noble/ed25519';

/** Bytes of a public key. */
export const PUBLIC_KEY_BYTES = 32;
/** Bytes of a signature: R, then S. */
export const SIGNATURE_BYTES = 64;

// The synchronous half of the library has no hash of its own.
hashes.sha512 = (message) => new Uint8Array(hash('sha512', message, 'buffer'));

/** The point that canonical bytes stand for (RFC 8032 section 5.1.3); undefined where they stand for none. */
function pointOf(bytes: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Whether 32 bytes are a public key that a signature can be pinned on: the one canonical spelling of a
 * point on the curve that has the group's full prime order. A key of small order verifies signatures
 * that nobody made; one with a small part makes verifiers disagree. No honest key pair has either.
 */
export function isSoundPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== PUBLIC_KEY_BYTES) return false;
  const point = pointOf(bytes);
  return point !== undefined && !point.isSmallOrder() && point.isTorsionFree();
}

/** The equation without cofactor, R compared byte by byte, S below the group order: as most verifiers do. */
function holdsExactly(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verifyExactly(null, message, key, signature);
}

/**
 * As `verifySignature`, for a key that is known to be sound: a third cheaper. Whatever the key, no S or R
 * that is not canonical, and no key or R of small order, passes here either.
 */
export function verifyBySoundKey(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  if (signature.length !== SIGNATURE_BYTES || publicKey.length !== PUBLIC_KEY_BYTES) return false;
  // The cheap half first: a twentieth of the cost, and it refuses nearly all that is wrong.
  if (!holdsExactly(signature, message, publicKey)) return false;
  const r = pointOf(signature.subarray(0, 32));
  if (r === undefined || r.isSmallOrder()) return false;
  return verify(signature, message, publicKey, { zip215: false });
}

/**
 * Whether the 64 bytes are a signature over the message under the 32 bytes of the public key (RFC 8032
 * section 5.1.7): canonical S and R, R not of small order, a sound key, and the equation both with the
 * cofactor and without. False for everything else, whatever its length; never throws.
 */
export function verifySignature(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  return verifyBySoundKey(signature, message, publicKey) && isSoundPublicKey(publicKey);
}
