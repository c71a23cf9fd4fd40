// SHA-256 in the form that the algorithms of the transparency log take as a parameter.
import { hash } from 'node:crypto';
import type { Sha256 } from '@colophon/tlog';

/** Returns the 32 bytes of the SHA-256 of all arguments, one after the other. */
export const sha256: Sha256 = (...bytes) =>
  hash('sha256', bytes.length === 1 && bytes[0] ? bytes[0] : Buffer.concat(bytes), 'buffer');
