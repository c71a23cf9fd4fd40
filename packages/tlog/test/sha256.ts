// SHA-256 of Node.js, as the tests pass it to the algorithms.
import { createHash } from 'node:crypto';
import type { Sha256 } from '../src/index.ts';

export const sha256: Sha256 = (...bytes) => {
  const hash = createHash('sha256');
  for (const part of bytes) hash.update(part);
  return new Uint8Array(hash.digest());
};
