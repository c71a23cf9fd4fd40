// Verifies a signature with the browser's own Ed25519, where it has one.
import type { Proof } from '@colophon/sdk';

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

async function importKey(publicKey: string): Promise<CryptoKey | undefined> {
  try {
    return await crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify']);
  } catch {
    return undefined;
  }
}

/** Returns whether the signature verifies; undefined for a browser without Ed25519, and for an unsigned proof. */
export async function verifiesInBrowser(proof: Proof): Promise<boolean | undefined> {
  const { signature, signing_input } = proof;
  if (signature === null) return undefined;
  const key = await importKey(signature.key.public_key);
  if (key === undefined) return undefined;
  const message = new TextEncoder().encode(signing_input);
  return crypto.subtle.verify('Ed25519', key, bytesOf(signature.signature), message);
}
