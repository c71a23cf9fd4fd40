// Ed25519 signatures (RFC 8032), as strict as the service, on any platform with WebCrypto.
import { Point, verifyAsync } from '@noble/ed25519';

/** Decodes base64url without padding; returns undefined for any text that is not the canonical encoding. */
export function bytesOf(text: string): Uint8Array | undefined {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(standard);
  if (btoa(binary).replace(/={1,2}$/, '') !== standard) return undefined;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Encodes bytes as base64url without padding. */
export function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

/**
 * Whether the bytes are a canonical point of the group’s full prime order, so that all verifiers agree about
 * it.
 */
function isSoundPoint(bytes: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(bytes);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

/**
 * Whether the signature is over the message, by the key. Returns false unless the signature is 64 and the key
 * 32 sound bytes.
 */
export async function verifySignature(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): Promise<boolean> {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  if (!isSoundPoint(publicKey) || !isSoundPoint(signature.subarray(0, 32))) return false;
  return verifyAsync(signature, message, publicKey, { zip215: false });
}
