// Ed25519 key pairs of agents, and signatures by node:crypto, as a client makes them.
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export interface KeyPair {
  /** 32 bytes. */
  readonly publicKey: Buffer;
  /** 64 bytes. */
  sign(message: string | Buffer): Buffer;
}

function pairOf(privateKey: KeyObject): KeyPair {
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x, 'base64url'),
    sign: (message) => sign(null, Buffer.from(message), privateKey),
  };
}

export function freshKeyPair(): KeyPair {
  return pairOf(generateKeyPairSync('ed25519').privateKey);
}

/** The pair of a secret key of 32 bytes (RFC 8032), in the PKCS #8 form of RFC 8410. */
export function keyPairOf(secret: Buffer): KeyPair {
  const header = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = Buffer.concat([header, secret]);
  return pairOf(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
}
