// Writes the files of one step of an archive, with their records and checksums.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from 'node:zlib';
import type { MediaStore } from '#storage';
import type { NewPart } from '../queries/index.ts';
import { dataDescriptor, directoryRecord, localHeader } from '../rules/zip.ts';
import type { Entry } from '../rules/zip.ts';
import { openPieceSink } from './piece-sink.ts';
import type { PieceSink } from './piece-sink.ts';

/** Shorter files are not compressed: nothing would be gained. */
const deflatedFrom = 128;

/** Up to this length a thread costs four times the work itself. */
const inTurnMax = 16 * 1024;
/** A window larger than the file only has to be cleared. */
const small = { windowBits: 14, memLevel: 6 } as const;

const deflatedInThread = promisify(deflateRaw);

async function compress(bytes: Buffer): Promise<Buffer> {
  if (bytes.length < deflatedFrom) return bytes;
  return bytes.length <= inTurnMax ? deflateRawSync(bytes, small) : deflatedInThread(bytes);
}

/** A file that is compressed and can be added. */
export interface Packed {
  readonly path: string;
  readonly method: 0 | 8;
  readonly bytes: Buffer;
  readonly size: number;
  readonly crc: number;
  readonly sha256: string;
}

/** Compresses a file: a long one in a thread. */
export async function pack(path: string, text: string): Promise<Packed> {
  const bytes = Buffer.from(text);
  const packed = await compress(bytes);
  const smaller = packed.length < bytes.length;
  return {
    path,
    method: smaller ? 8 : 0,
    bytes: smaller ? packed : bytes,
    size: bytes.length,
    crc: crc32(bytes),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** Original bytes of a participant, which stay where they are. */
export interface Original {
  readonly path: string;
  readonly size: number;
  readonly crc: number;
  /** SHA-256 in hexadecimal digits. */
  readonly checksum: string;
}

/** Where a step begins. */
export interface Beginning {
  readonly bucket: number;
  /** The modification time of the files. */
  readonly at: Date;
  readonly archive: number;
  readonly directory: number;
  /** Of the lists that become files at the end: only their order counts. */
  readonly lists: number;
}

/** What a step wrote. */
export interface Written {
  readonly parts: readonly NewPart[];
  readonly entries: number;
  /** Sizes after the step. */
  readonly archive: number;
  readonly directory: number;
}

export interface ArchiveWriter {
  /** Adds a file. `listed` is false for the files that checksums.txt does not name. */
  add(file: Packed, listed?: boolean): Promise<void>;
  /** Adds a file of unknown length and returns its SHA-256. */
  stream(path: string, texts: AsyncIterable<string | Buffer>, listed?: boolean): Promise<string>;
  addOriginal(original: Original): Promise<void>;
  /** Adds a line to the list of articles. */
  list(line: string): Promise<void>;
  /** Bytes of the archive that this step has written. */
  size(): number;
  /** Adds bytes after the last record of the directory. */
  endDirectory(
    end: (size: { entries: number; archive: number; directory: number }) => Buffer,
  ): Promise<void>;
  finish(): Promise<Written>;
  /** Deletes what was written. */
  abandon(): Promise<void>;
}

/**
 * Deflates texts into the sink and returns what their entry needs. Nothing is known before the end, and the memory
 * is bounded.
 */
async function deflateInto(archive: PieceSink, texts: AsyncIterable<string | Buffer>) {
  const hash = createHash('sha256');
  let [crc, size, packedSize] = [0, 0, 0];
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const text of texts) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      crc = crc32(bytes, crc);
      size += bytes.length;
      hash.update(bytes);
      yield bytes;
    }
  }
  await pipeline(
    Readable.from(measured(), { objectMode: false }),
    createDeflateRaw(),
    async (packed: AsyncIterable<Buffer>) => {
      for await (const bytes of packed) {
        packedSize += bytes.length;
        await archive.append(bytes);
      }
    },
  );
  return { crc, size, packedSize, sha256: hash.digest('hex') };
}

function openSinks(store: Pick<MediaStore, 'put'>, beginning: Beginning) {
  const { bucket, archive, directory, lists } = beginning;
  return {
    archive: openPieceSink(store, bucket, 'archive', archive),
    directory: openPieceSink(store, bucket, 'directory', directory),
    checksums: openPieceSink(store, bucket, 'checksums', lists),
    listing: openPieceSink(store, bucket, 'listing', lists),
  };
}

/** Opens a writer. Nothing refers to what it wrote until the parts are inserted. */
export function openArchiveWriter(
  store: Pick<MediaStore, 'put' | 'delete'>,
  beginning: Beginning,
  entriesBefore: number,
): ArchiveWriter {
  const { at } = beginning;
  const sinks = openSinks(store, beginning);
  const { archive, directory, checksums, listing } = sinks;
  let entries = entriesBefore;

  async function enter(entry: Entry, sha256: string, listed: boolean): Promise<void> {
    entries += 1;
    await directory.append(directoryRecord(entry));
    if (listed) await checksums.append(Buffer.from(`${sha256}  ${entry.path}\n`));
  }

  async function add({ bytes, sha256, ...file }: Packed, listed = true): Promise<void> {
    const entry = { ...file, streamed: false, packedSize: bytes.length, start: archive.size(), at };
    await archive.append(localHeader(entry));
    await archive.append(bytes);
    await enter(entry, sha256, listed);
  }

  async function addOriginal({ path, size, crc, checksum }: Original): Promise<void> {
    const stored = { method: 0, streamed: false, packedSize: size } as const;
    const entry = { ...stored, path, crc, size, start: archive.size(), at };
    await archive.place(localHeader(entry), size, checksum);
    await enter(entry, checksum, true);
  }

  async function stream(path: string, texts: AsyncIterable<string | Buffer>, listed = true) {
    const entry = { path, method: 8, streamed: true, start: archive.size(), at } as const;
    await archive.append(localHeader({ ...entry, crc: 0, size: 0, packedSize: 0 }));
    const { sha256, ...sizes } = await deflateInto(archive, texts);
    await archive.append(dataDescriptor({ ...entry, ...sizes }));
    await enter({ ...entry, ...sizes }, sha256, listed);
    return sha256;
  }

  const all = Object.values(sinks);
  return {
    add,
    addOriginal,
    stream,
    list: (line) => listing.append(Buffer.from(line)),
    size: () => archive.size() - beginning.archive,
    endDirectory: (end) =>
      directory.append(end({ entries, archive: archive.size(), directory: directory.size() })),
    finish: async () => {
      for (const sink of all) await sink.flush();
      const parts = all.flatMap((sink) => sink.parts);
      return { parts, entries, archive: archive.size(), directory: directory.size() };
    },
    abandon: async () => {
      const names = all.flatMap(({ parts }) => parts.flatMap(({ name }) => name ?? []));
      await Promise.all(names.map((name) => store.delete(name)));
    },
  };
}
