// The lists of SHA-256 checksums inside a backup, in the format of sha256sum.
import { createHash } from 'node:crypto';

/** Bytes after which a list is complete, so that neither writing nor reading keeps more in memory. */
const listBytes = 512 * 1024;

export interface ChecksumList {
  /** Adds a line. Returns whether the list is complete and must be taken. */
  add(sha256: string, member: string): boolean;
  /** Returns the list and begins the next one; undefined if there are no lines. */
  take(): Buffer | undefined;
  /** Number of members listed so far. */
  members(): number;
  /** SHA-256 of all lists that were taken. */
  digest(): string;
}

/** Makes the same lists from the same members, when a backup is written and when it is read. */
export function checksumList(): ChecksumList {
  const all = createHash('sha256');
  let lines: string[] = [];
  let size = 0;
  let members = 0;
  return {
    add: (sha256, member) => {
      const line = `${sha256}  ${member}\n`;
      lines.push(line);
      size += line.length;
      members += 1;
      return size >= listBytes;
    },
    take: () => {
      if (lines.length === 0) return undefined;
      const list = Buffer.from(lines.join(''));
      lines = [];
      size = 0;
      all.update(list);
      return list;
    },
    members: () => members,
    digest: () => all.copy().digest('hex'),
  };
}
