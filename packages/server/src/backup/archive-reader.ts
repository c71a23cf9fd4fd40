// Reads the members of a backup in their order, and checks their checksums, counts and end.
import { createHash } from 'node:crypto';
import { ReadableStream as Web } from 'node:stream/web';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import type { ParsedTarEntry } from 'modern-tar';
import { checksumList } from './checksums.ts';
import { decrypt, isEncrypted } from './encryption.ts';
import { filesFolder, manifestName, parseHeader, parseManifest, tableOf } from './format.ts';
import type { BackupHeader, Contents, Manifest } from './format.ts';
import { countLines } from './pieces.ts';

/** What is done with the content while it is read. */
export interface Visitor {
  header(header: BackupHeader): Promise<void>;
  /** Rows of a table in the text format of COPY. All rows of a table arrive one after another. */
  rows(table: string, rows: Buffer, count: number): Promise<void>;
  /** A file of the store. The chunks must be read to their end. */
  file(name: string, size: number, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Lines of the ledger. */
  erasures(lines: Buffer): Promise<void>;
}

/** Members other than files are read as a whole: a piece of 1 MiB, or one long row. */
const memberBytesMax = 256 * 1024 * 1024;
const decompress = promisify(zstdDecompress);

function brokenArchive(what: string): Error {
  return new Error(`The backup is damaged: ${what}. Use another one.`);
}

async function whole(entry: ParsedTarEntry): Promise<Buffer> {
  if (entry.header.size > memberBytesMax) throw brokenArchive(`${entry.header.name} is too large`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Counts {
  readonly rows: Record<string, number>;
  files: number;
  file_bytes: number;
  erasures: number;
}

/** Passes the members on to the visitor, and counts what it passes. */
function passMembers(visitor: Visitor) {
  const counts: Counts = { rows: {}, files: 0, file_bytes: 0, erasures: 0 };

  async function file({ header, body }: ParsedTarEntry): Promise<string> {
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const chunk of body) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await visitor.file(header.name.slice(filesFolder.length), header.size, hashed());
    counts.files += 1;
    counts.file_bytes += header.size;
    return hash.digest('hex');
  }

  async function rows(table: string, name: string, bytes: Buffer): Promise<void> {
    const piece = await decompress(bytes, { maxOutputLength: memberBytesMax }).catch(() => {
      throw brokenArchive(`${name} cannot be decompressed`);
    });
    const count = countLines(piece);
    counts.rows[table] = (counts.rows[table] ?? 0) + count;
    await visitor.rows(table, piece, count);
  }

  async function member(name: string, bytes: Buffer): Promise<void> {
    const table = tableOf(name);
    if (table !== undefined) return rows(table, name, bytes);
    if (!name.startsWith('erasures/')) throw brokenArchive(`it has an unknown member ${name}`);
    counts.erasures += countLines(bytes);
    await visitor.erasures(bytes);
  }

  return { counts, file, member };
}

function differences(found: Contents, manifest: Contents): string | undefined {
  const { rows, ...others } = found;
  const tables = new Set([...Object.keys(rows), ...Object.keys(manifest.rows)]);
  for (const table of tables)
    if (rows[table] !== manifest.rows[table])
      return `it has ${rows[table] ?? 0} rows of ${table} instead of ${manifest.rows[table] ?? 0}`;
  for (const [name, value] of Object.entries(others))
    if (manifest[name as keyof typeof others] !== value)
      return `its ${name} is ${value} instead of ${manifest[name as keyof typeof others]}`;
  return undefined;
}

async function* entriesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<ParsedTarEntry> {
  try {
    yield* stream.pipeThrough(createTarDecoder({ strict: true }));
  } catch (cause) {
    throw new Error(
      `The file is not a complete backup, or is damaged (${(cause as Error).message}).`,
      { cause },
    );
  }
}

export interface Read {
  readonly header: BackupHeader;
  readonly manifest: Manifest;
}

/** Takes the members in their order, and returns the two ends once all of them were taken. */
function takeMembers(visitor: Visitor) {
  const checksums = checksumList();
  const { counts, file, member } = passMembers(visitor);
  let header: BackupHeader | undefined;
  let manifest: Manifest | undefined;

  async function takeWhole(name: string, bytes: Buffer): Promise<void> {
    if (name === manifestName) {
      manifest = parseManifest(bytes);
    } else if (name.startsWith('checksums/')) {
      if (checksums.take()?.equals(bytes) !== true)
        throw brokenArchive(`${name} differs from its members`);
    } else {
      checksums.add(createHash('sha256').update(bytes).digest('hex'), name);
      if (header !== undefined) await member(name, bytes);
      else await visitor.header((header = parseHeader(bytes)));
    }
  }

  return {
    take: async (entry: ParsedTarEntry): Promise<void> => {
      const { name } = entry.header;
      if (manifest !== undefined) throw brokenArchive(`${name} is behind its end`);
      if (name.startsWith(filesFolder) && header !== undefined)
        checksums.add(await file(entry), name);
      else await takeWhole(name, await whole(entry));
    },
    end: (): Read => {
      if (header === undefined || manifest === undefined)
        throw new Error(
          'The backup is not complete: it was interrupted or cut off. Use another one.',
        );
      if (manifest.id !== header.id) throw brokenArchive('its two ends are of different backups');
      if (checksums.take() !== undefined) throw brokenArchive('it has members without checksums');
      const sums = { members: checksums.members(), checksums_sha256: checksums.digest() };
      const difference = differences({ ...counts, ...sums }, manifest.contents);
      if (difference !== undefined) throw brokenArchive(difference);
      return { header, manifest };
    },
  };
}

/**
 * Reads a backup from its first to its last byte.
 * @throws Error in a sentence for the operator; what the visitor throws
 */
export async function readArchive(
  stream: ReadableStream<Uint8Array>,
  visitor: Visitor,
): Promise<Read> {
  const { take, end } = takeMembers(visitor);
  for await (const entry of entriesOf(stream)) await take(entry);
  return end();
}

/** Returns the stream of the archive in these bytes, decrypted if they are encrypted. */
export async function archiveIn(
  bytes: AsyncIterable<Uint8Array>,
  identityFile: string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all() {
    try {
      if (first.done !== true) yield first.value;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  const stream = Web.from(all()) as ReadableStream<Uint8Array>;
  const encryptedStart = first.done !== true && isEncrypted(first.value);
  return encryptedStart ? decrypt(stream, identityFile) : stream;
}
