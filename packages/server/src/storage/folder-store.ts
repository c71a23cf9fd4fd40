// Media in a folder: each file is written to a draft, renamed when complete, and flushed.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { open, opendir, readdir, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { makeFolders } from '#runtime';
import { diskRoom } from './disk-room.ts';
import { diskWorks, inDiskTurn } from './disk-turns.ts';
import { answerInTime } from './refusals.ts';
import { failWhenSilent, usualSilenceMs } from './silence.ts';
import { prefixOf } from './store.ts';
import type { Incoming, StoredFile, Listed, MediaStore, Span } from './store.ts';

/** Bytes that are waiting to be written; an upload uses at most twice this much memory. */
const bufferedBytes = 256 * 1024;
const readBytes = 256 * 1024;
/**
 * Accessible to the service only, regardless of the umask: content that is private in the service is private
 * on the disk.
 */
const fileMode = 0o600;
const folderMode = 0o700;
/** Names of this store, and those of an S3 store, from which a backup may come. */
const nameForm = /^(?:exports\/)?[0-9a-f]{3}\/(?:[0-9a-f]{64}-[0-9a-f]{16}|[0-9a-f]{32})$/;

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Works on the disk when it is its turn; undefined if what it works on is not there. */
async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await inDiskTurn(work);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Flushes the bytes of a file, or the names in a folder, which are durable only after that. */
function flush(place: string): Promise<void> {
  return inDiskTurn(async () => {
    const handle = await open(place, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

function newFolders(folder: string): Promise<string | undefined> {
  return inDiskTurn(() => makeFolders(folder, folderMode));
}

/**
 * Runs `work` again after `makeFolder` if a folder is missing: it may have been removed while the service
 * runs.
 */
async function inFolder<T>(work: () => Promise<T>, makeFolder: () => Promise<unknown>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await makeFolder();
    return work();
  }
}

/** Opens a new draft for arriving bytes. */
function openDraft(aside: string, place: string): Promise<WriteStream> {
  return inFolder(
    async () => {
      const writing = { flags: 'wx', mode: fileMode, highWaterMark: bufferedBytes, fs: diskWorks };
      const draft = createWriteStream(place, writing);
      await once(draft, 'open');
      return draft;
    },
    () => newFolders(aside),
  );
}

/** Writes into a new file, hashes the bytes, and closes it; it is not flushed. */
async function write(
  sink: WriteStream,
  { chunks, length, release }: Incoming,
): Promise<Omit<StoredFile, 'name'>> {
  const written = finished(sink);
  // It is awaited at the end; until then a full disk must not end the process.
  written.catch(() => undefined);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      hash.update(chunk);
      // After a failure, the disk may still read from that memory.
      if (!sink.write(chunk, (error) => void (error ?? release?.(chunk))))
        await Promise.race([waitForDrain(sink), written]);
    }
    if (size !== length) throw new Error(`Received ${size} bytes instead of ${length}.`);
    sink.end();
    await written;
    return { size, checksum: hash.digest('hex') };
  } catch (error) {
    sink.destroy();
    await written.catch(() => undefined);
    throw error;
  }
}

function waitForDrain(sink: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    sink.once('drain', resolve);
  });
}

async function* namesIn(folder: string, prefix: string): AsyncGenerator<Listed> {
  const entries = await unlessAbsent(() => opendir(path.join(folder, prefix)));
  if (entries === undefined) return;
  for await (const entry of entries) {
    const found = await unlessAbsent(() => stat(path.join(folder, prefix, entry.name)));
    if (found !== undefined) yield { name: `${prefix}/${entry.name}`, storedAt: found.mtime };
  }
}

async function sweep(aside: string, before: Date): Promise<number> {
  let removed = 0;
  for (const entry of (await unlessAbsent(() => readdir(aside))) ?? []) {
    const draft = path.join(aside, entry);
    const found = await unlessAbsent(() => stat(draft));
    if (found === undefined || found.mtime >= before) continue;
    await unlessAbsent(() => unlink(draft));
    removed += 1;
  }
  return removed;
}

/** Whether no bucket of any use contains a file. */
async function isEmpty(folder: string): Promise<boolean> {
  for (const entry of (await unlessAbsent(() => readdir(folder))) ?? []) {
    if (entry === 'exports' && !(await isEmpty(path.join(folder, entry)))) return false;
    if (!/^[0-9a-f]{3}$/.test(entry)) continue;
    if ((await readdir(path.join(folder, entry))).length > 0) return false;
  }
  return true;
}

/**
 * Creates the folders of buckets. A new folder is a new name in its parent, and must survive a power failure
 * too.
 */
function bucketFolders(folder: string) {
  const known = new Set<string>();
  async function make(prefix: string): Promise<string> {
    const made = path.join(folder, prefix);
    if (known.has(prefix)) return made;
    if ((await newFolders(made)) !== undefined)
      await Promise.all([flush(folder), flush(path.dirname(made))]);
    known.add(prefix);
    return made;
  }
  return {
    make,
    makeAgain: (prefix: string) => {
      known.delete(prefix);
      return make(prefix);
    },
  };
}

/** Tracks the room of the disk, minus the bytes that running uploads may still take. */
function roomOf(folder: string, diskReserve: number | undefined) {
  let underWay = 0;
  return {
    has: async (bytes: number): Promise<boolean> => {
      const { freeBytes, reserveBytes } = await inDiskTurn(() => diskRoom(folder, diskReserve));
      return freeBytes - underWay - bytes >= reserveBytes;
    },
    taking: async <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
      underWay += bytes;
      try {
        return await work();
      } finally {
        underWay -= bytes;
      }
    },
  };
}

/** Returns the function that stores a file below a prefix, under the name that `nameOf` makes. */
function putBelow(folder: string, fileOf: (name: string) => string) {
  const aside = path.join(folder, 'uploading');
  const buckets = bucketFolders(folder);
  return async (
    prefix: string,
    incoming: Incoming,
    nameOf: (checksum: string) => string,
  ): Promise<StoredFile> => {
    let place = path.join(aside, `${path.basename(prefix)}-${randomBytes(12).toString('hex')}`);
    const draft = await openDraft(aside, place);
    try {
      const file = await write(draft, incoming);
      const name = nameOf(file.checksum);
      const home = await buckets.make(prefix);
      await inFolder(
        () => inDiskTurn(() => rename(place, fileOf(name))),
        () => buckets.makeAgain(prefix),
      );
      place = fileOf(name);
      // After the rename: one flush writes bytes and name to the disk, and the other then has little to do.
      // Until both are done no record refers to the file, and what a crash leaves is swept.
      await Promise.all([flush(place), flush(home)]);
      return { name, ...file };
    } catch (error) {
      await unlessAbsent(() => unlink(place));
      throw error;
    }
  };
}

/**
 * Opens a folder store; the folder is created when it is needed. Names are `<bucket>/<checksum>-<random
 * number>`.
 */
export function openFolderStore(
  folder: string,
  diskReserve?: number,
  silenceMs = usualSilenceMs,
): MediaStore {
  const room = roomOf(folder, diskReserve);

  const fileOf = (name: string) => {
    if (!nameForm.test(name)) throw new Error(`No file has the name ${JSON.stringify(name)}.`);
    return path.join(folder, name);
  };
  const put = putBelow(folder, fileOf);

  async function openFile(name: string, span?: Span) {
    const reading = { ...span, highWaterMark: readBytes, fs: diskWorks };
    const stream = createReadStream(fileOf(name), reading);
    const opened = answerInTime(once(stream, 'open'), silenceMs).then(
      () => true,
      (error: unknown) => {
        if (isAbsent(error)) return false;
        throw error;
      },
    );
    // A disk that answers later opens a file that nobody reads: it is closed, and its error has no listener.
    await opened.catch(() => stream.on('error', () => undefined).destroy());
    return (await opened) ? failWhenSilent(stream, silenceMs) : undefined;
  }

  return {
    hasRoom: room.has,
    put: (incoming) => {
      const prefix = prefixOf(incoming.bucket, incoming.use);
      const nameOf = (checksum: string) =>
        `${prefix}/${checksum}-${randomBytes(8).toString('hex')}`;
      return room.taking(incoming.length, () => put(prefix, incoming, nameOf));
    },
    putAs: async (name, incoming) => {
      const prefix = path.relative(folder, path.dirname(fileOf(name)));
      await put(prefix, { bucket: 0, ...incoming }, () => name);
    },
    isEmpty: () => isEmpty(folder),
    open: openFile,
    exists: async (name) => (await unlessAbsent(() => stat(fileOf(name)))) !== undefined,
    delete: async (name) => {
      await unlessAbsent(() => unlink(fileOf(name)));
    },
    list: (bucket, use) => namesIn(folder, prefixOf(bucket, use)),
    sweep: (before) => sweep(path.join(folder, 'uploading'), before),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
