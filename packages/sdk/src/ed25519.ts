// Ed25519 signatures (RFC 8032), as strict as the service is, in whatever has WebCrypto.
import { Point, verifyAsync } from '@noble/ed25519';

/** Bytes of base64url without padding, in the one spelling that they have; undefined for any other. */
export function bytesOf(text: string): Uint8Array | undefined {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(standard);
  if (btoa(binary).replace(/={1,2}$/, '') !== standard) return undefined;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Bytes as base64url without padding. */
export function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

/** Canonical bytes of a point of the group’s full prime order, so that no two verifiers disagree about it. */
function isSoundPoint(bytes: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(bytes);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

/** Whether the signature is over the message, by the key. False for whatever is not 64 and 32 sound bytes. */
export async function verifySignature(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): Promise<boolean> {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  if (!isSoundPoint(publicKey) || !isSoundPoint(signature.subarray(0, 32))) return false;
  return verifyAsync(signature, message, publicKey, { zip215: false });
}
