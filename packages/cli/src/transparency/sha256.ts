// SHA-256 for the log, in the fastest form that Node.js has.
import { hash } from 'node:crypto';
import { hashLength, leafHash, tileWidth } from '@colophon/tlog';
import type { Sha256 } from '@colophon/tlog';

/** One call with joined bytes takes a third of the time of an object that is fed. */
const joined = Buffer.alloc(4_096);

/** SHA-256 of the concatenation of its arguments. */
export const sha256: Sha256 = (...parts) => {
  let length = 0;
  for (const part of parts) {
    if (length + part.length > joined.length) return hash('sha256', Buffer.concat(parts), 'buffer');
    joined.set(part, length);
    length += part.length;
  }
  return hash('sha256', joined.subarray(0, length), 'buffer');
};

/** Writes the hash of the first bytes of `joined` to a place. A text of bytes takes half the time of a buffer. */
function writeHash(length: number, to: Buffer, at: number): void {
  to.write(hash('sha256', joined.subarray(0, length), 'latin1'), at, hashLength, 'latin1');
}

/** Returns the hashes of leaves (RFC 6962), one after the other. */
export function leafHashes(entries: readonly Uint8Array[]): Buffer {
  const hashes = Buffer.allocUnsafe(entries.length * hashLength);
  for (let leaf = 0; leaf < entries.length; leaf += 1) {
    const entry = entries[leaf] ?? joined;
    if (entry.length < joined.length) {
      joined[0] = 0;
      joined.set(entry, 1);
      writeHash(entry.length + 1, hashes, leaf * hashLength);
    } else hashes.set(leafHash(sha256, entry), leaf * hashLength);
  }
  return hashes;
}

/** Returns the hash that a full tile has at the level of tiles above it. */
export function fullTileHash(tile: Uint8Array): Buffer {
  if (tile.length !== tileWidth * hashLength)
    throw new RangeError(`A full tile has 8192 bytes, not ${tile.length}.`);
  const nodes = Buffer.from(tile);
  for (let width = tileWidth / 2; width >= 1; width /= 2) {
    for (let node = 0; node < width; node += 1) {
      joined[0] = 1;
      joined.set(nodes.subarray(node * 2 * hashLength, (node + 1) * 2 * hashLength), 1);
      writeHash(1 + 2 * hashLength, nodes, node * hashLength);
    }
  }
  return nodes.subarray(0, hashLength);
}

/** Returns the SHA-256 of a text in hexadecimal digits. */
export function hexHash(text: string): string {
  return hash('sha256', text, 'hex');
}
