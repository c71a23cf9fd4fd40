// Reads ZIP files in constant memory, and refuses those that are made to do harm.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import * as yauzl from 'yauzl';
import { damage, isRefusal, refusal } from '../source.ts';

/** What is needed to read an entry later. An entry of the library would keep its whole header. */
interface Header {
  readonly relativeOffsetOfLocalHeader: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  readonly compressionMethod: number;
  readonly generalPurposeBitFlag: number;
}

export interface Zip extends AsyncDisposable {
  /** Names of files in the order of the archive; folders are left out. */
  readonly names: readonly string[];
  has(name: string): boolean;
  sizeOf(name: string): number;
  stream(name: string): Promise<Readable>;
  /** @throws a refusal for an entry of more than `most` bytes */
  read(name: string, most: number): Promise<Buffer<ArrayBuffer>>;
  sha256(name: string): Promise<string>;
}

const MiB = 1024 * 1024;
/** An archive may contain this many bytes, or this many times its own size if that is more. */
const bombFloor = 1024 * MiB;
const bombRatio = 50;
/** DEFLATE cannot compress further (RFC 1951: 258 bytes for 2 bits). */
const deflateRatio = 1032;
const entriesMax = 1_000_000;
const nameMax = 1_024;

const stored = 0;
const deflated = 8;
const symbolicLink = 0xa000;

/** Returns why an entry is refused. */
function faultOf(entry: yauzl.Entry): string | undefined {
  const { fileName, compressedSize, uncompressedSize, compressionMethod } = entry;
  if (entry.isEncrypted()) return 'is encrypted';
  if (compressionMethod !== stored && compressionMethod !== deflated)
    return `uses compression method ${compressionMethod}; only DEFLATE is supported`;
  if (((entry.externalFileAttributes >>> 16) & 0xf000) === symbolicLink)
    return 'is a symbolic link';
  if (fileName.length > nameMax) return 'has a name that is too long';
  if (/[\0-\x1f\x7f]/.test(fileName)) return 'has a name with control characters';
  if (fileName.split('/').some((part) => part === '.' || part === '..'))
    return 'has a name that leads out of its folder';
  if (uncompressedSize > Math.max(compressedSize, 1) * deflateRatio)
    return 'names a size that its data cannot have';
  return undefined;
}

interface Index {
  readonly headers: ReadonlyMap<string, Header>;
  readonly totalBytes: number;
}

/** Names that are the same file on some systems. */
function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

async function indexOf(zip: yauzl.ZipFile): Promise<Index> {
  if (zip.entryCount > entriesMax)
    throw refusal(`The archive lists ${zip.entryCount} files. At most ${entriesMax} are read.`);
  const headers = new Map<string, Header>();
  const seen = new Set<string>();
  let totalBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry;
    const fault = faultOf(entry);
    if (fault !== undefined) throw refusal(`The archive is refused: ${quoteName(name)} ${fault}.`);
    const folded = foldedName(name);
    if (seen.has(folded))
      throw refusal(`The archive is refused: it lists ${quoteName(name)} twice.`);
    seen.add(folded);
    if (name.endsWith('/')) continue;
    totalBytes += entry.uncompressedSize;
    headers.set(name, {
      relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
      compressedSize: entry.compressedSize,
      uncompressedSize: entry.uncompressedSize,
      compressionMethod: entry.compressionMethod,
      generalPurposeBitFlag: entry.generalPurposeBitFlag,
    });
  }
  return { headers, totalBytes };
}

/** Shows a name from an archive: short, and without characters that could change a terminal. */
export function quoteName(name: string): string {
  const shown = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return JSON.stringify(shown.length > 120 ? `${shown.slice(0, 120)}…` : shown);
}

/** Two entries with the same data are how a small archive unpacks to a huge one. */
function requireApart(headers: ReadonlyMap<string, Header>): void {
  const sorted = [...headers.values()].toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  for (const header of sorted) {
    if (header.relativeOffsetOfLocalHeader < end)
      throw refusal('The archive is refused: some of its files share the same data.');
    // A local header has at least 30 bytes.
    end = header.relativeOffsetOfLocalHeader + 30 + header.compressedSize;
  }
}

function requireModest({ totalBytes }: Index, fileSize: number): void {
  if (totalBytes <= Math.max(bombFloor, fileSize * bombRatio)) return;
  const size = `${Math.round(totalBytes / MiB)} MiB from ${Math.ceil(fileSize / MiB)} MiB`;
  throw refusal(`The archive is refused: it would unpack to ${size}, which no export does.`);
}

/** Translates an error of the library or of the disk into a refusal. */
function unreadable(error: unknown, what: string): Error {
  if (isRefusal(error)) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return refusal(`There is no file ${what}.`, error);
  const sentence = `${what} cannot be read as a ZIP archive: ${message}.`;
  // The disk may be at fault, not the archive.
  return code === undefined || code.startsWith('Z_')
    ? damage(sentence, error)
    : refusal(sentence, error);
}

async function collect(stream: Readable, most: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) break;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function readerOf(zip: yauzl.ZipFile, headers: ReadonlyMap<string, Header>): Zip {
  const headerOf = (name: string): Header => {
    const header = headers.get(name);
    if (header === undefined) throw refusal(`The archive has no file ${quoteName(name)}.`);
    return header;
  };
  // Ends with an error as soon as the data is longer or shorter than the directory says.
  const stream = (name: string): Promise<Readable> =>
    zip.openReadStreamPromise(Object.assign(new yauzl.Entry(), headerOf(name)));
  const guarded = async <T>(name: string, work: (stream: Readable) => Promise<T>): Promise<T> => {
    try {
      return await work(await stream(name));
    } catch (error) {
      throw unreadable(error, quoteName(name));
    }
  };
  return {
    names: [...headers.keys()],
    has: (name) => headers.has(name),
    sizeOf: (name) => headerOf(name).uncompressedSize,
    stream,
    read: async (name, most) => {
      const size = headerOf(name).uncompressedSize;
      if (size > most)
        throw refusal(`${quoteName(name)} has ${size} bytes. At most ${most} are read.`);
      return guarded(name, (entry) => collect(entry, most));
    },
    sha256: (name) =>
      guarded(name, async (entry) => {
        const hash = createHash('sha256');
        for await (const part of entry as AsyncIterable<Buffer>) hash.update(part);
        return hash.digest('hex');
      }),
    [Symbol.asyncDispose]: async () => zip.close(),
  };
}

/**
 * Opens an archive and checks its directory: no encryption, no name outside the archive, no name twice, no
 * shared data, no more bytes than an export can have. Nothing is unpacked.
 *
 * @throws a refusal
 */
export async function openZip(path: string): Promise<Zip> {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true };
  let zip: yauzl.ZipFile | undefined;
  try {
    zip = await yauzl.openPromise(path, options);
    const index = await indexOf(zip);
    requireModest(index, zip.fileSize);
    requireApart(index.headers);
    return readerOf(zip, index.headers);
  } catch (error) {
    zip?.close();
    throw unreadable(error, quoteName(path));
  }
}
