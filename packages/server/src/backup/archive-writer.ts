// Writes the members of a backup as a tar archive, with their checksums.
import { createHash } from 'node:crypto';
import { createTarPacker } from 'modern-tar';
import { checksumList } from './checksums.ts';
import { manifestName, memberName } from './format.ts';

/** A member whose bytes arrive in chunks. */
export interface Streamed {
  readonly name: string;
  readonly size: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface ArchiveWriter {
  /** The archive. It must be read for anything to be written. */
  readonly stream: ReadableStream<Uint8Array>;
  add(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Adds exactly `size` bytes: missing ones become zeros, more are left out. Returns the SHA-256 of the bytes
   * in the archive, and whether as many arrived.
   */
  addStream(member: Streamed): Promise<{ readonly sha256: string; readonly whole: boolean }>;
  /** Adds the last list of checksums and returns what they amount to. */
  endMembers(): Promise<{ readonly members: number; readonly checksums_sha256: string }>;
  /** Adds the manifest and ends the archive. */
  finish(manifest: Uint8Array): Promise<void>;
  /** Ends the archive with an error for its reader. */
  fail(error: unknown): void;
}

const zeros = new Uint8Array(64 * 1024);

/** Yields `size` bytes: chunks that are cut at the end, and zeros for what is missing. */
async function* exactly({ chunks, size }: Streamed): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const chunk of chunks) {
    // One more chunk is taken, so that the sender knows that there is more.
    if (left === 0) break;
    const part = chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= part.length;
    yield part;
  }
  for (; left > 0; left -= Math.min(left, zeros.length))
    yield zeros.subarray(0, Math.min(left, zeros.length));
}

export function openArchive(mtime: Date): ArchiveWriter {
  const { readable, controller } = createTarPacker();
  const checksums = checksumList();
  let lists = 0;

  async function put(name: string, size: number, chunks: AsyncIterable<Uint8Array> | Uint8Array[]) {
    const writer = controller.add({ name, size, mtime, mode: 0o600, type: 'file' }).getWriter();
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  }

  async function listChecksums(): Promise<void> {
    const list = checksums.take();
    if (list === undefined) return;
    lists += 1;
    await put(memberName('checksums', lists, '.sha256'), list.length, [list]);
  }

  async function noted(sha256: string, name: string): Promise<void> {
    if (checksums.add(sha256, name)) await listChecksums();
  }

  return {
    stream: readable,
    add: async (name, bytes) => {
      await put(name, bytes.length, [bytes]);
      await noted(createHash('sha256').update(bytes).digest('hex'), name);
    },
    addStream: async ({ name, size, chunks }) => {
      const hash = createHash('sha256');
      let length = 0;
      async function* measured() {
        for await (const chunk of chunks) {
          length += chunk.length;
          yield chunk;
        }
      }
      async function* hashed() {
        for await (const chunk of exactly({ name, size, chunks: measured() })) {
          hash.update(chunk);
          yield chunk;
        }
      }
      await put(name, size, hashed());
      const sha256 = hash.digest('hex');
      await noted(sha256, name);
      return { sha256, whole: length === size };
    },
    endMembers: async () => {
      await listChecksums();
      return { members: checksums.members(), checksums_sha256: checksums.digest() };
    },
    finish: async (manifest) => {
      await put(manifestName, manifest.length, [manifest]);
      controller.finalize();
    },
    fail: (error) => controller.error(error),
  };
}
