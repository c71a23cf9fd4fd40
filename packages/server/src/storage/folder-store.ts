// Media in a folder: each file is written aside, takes its name when it is whole, and is flushed with it.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, readdir, rename, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { diskRoom } from './disk-room.ts';
import { prefixOf } from './store.ts';
import type { Incoming, Kept, Listed, MediaStore, Span } from './store.ts';

/** What is on its way to the disk; an upload takes no more memory than this, twice. */
const bufferedBytes = 256 * 1024;
const readBytes = 256 * 1024;
/** For the service alone, whatever the umask: what is private in the service is so on the disk. */
const fileMode = 0o600;
const folderMode = 0o700;
const nameForm = /^[0-9a-f]{3}\/[0-9a-f]{64}-[0-9a-f]{16}$/;

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Of a file its bytes; of a folder the names in it, which are safe on the disk only then. */
async function flush(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Runs `work` again after `makeFolder` where a folder is missing, which somebody may have removed while we run. */
async function inFolder<T>(work: () => Promise<T>, makeFolder: () => Promise<unknown>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await makeFolder();
    return work();
  }
}

/** A new file for bytes on their way, in the folder for them. */
function openDraft(aside: string, place: string): Promise<FileHandle> {
  return inFolder(
    () => open(place, 'wx', fileMode),
    () => mkdir(aside, { recursive: true, mode: folderMode }),
  );
}

/** Writes into a new file, hashes on the way, and closes it; it is not flushed. */
async function write(
  file: FileHandle,
  { chunks, length, taken }: Incoming,
): Promise<Omit<Kept, 'name'>> {
  const sink = file.createWriteStream({ highWaterMark: bufferedBytes });
  const written = finished(sink);
  // It is awaited at the end; until then a full disk must not end the process.
  written.catch(() => undefined);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      hash.update(chunk);
      // Where it failed, the disk may still read from that memory.
      if (!sink.write(chunk, (error) => void (error ?? taken?.(chunk))))
        await Promise.race([drained(sink), written]);
    }
    if (size !== length) throw new Error(`${size} bytes came in place of ${length}.`);
    sink.end();
    await written;
    return { size, checksum: hash.digest('hex') };
  } catch (error) {
    sink.destroy();
    await written.catch(() => undefined);
    throw error;
  }
}

function drained(sink: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    sink.once('drain', resolve);
  });
}

async function* namesIn(folder: string, prefix: string): AsyncGenerator<Listed> {
  const entries = await unlessAbsent(opendir(path.join(folder, prefix)));
  if (entries === undefined) return;
  for await (const entry of entries) {
    const found = await unlessAbsent(stat(path.join(folder, prefix, entry.name)));
    if (found !== undefined) yield { name: `${prefix}/${entry.name}`, keptAt: found.mtime };
  }
}

async function sweep(aside: string, before: Date): Promise<number> {
  let removed = 0;
  for (const entry of (await unlessAbsent(readdir(aside))) ?? []) {
    const draft = path.join(aside, entry);
    const found = await unlessAbsent(stat(draft));
    if (found === undefined || found.mtime >= before) continue;
    await unlessAbsent(unlink(draft));
    removed += 1;
  }
  return removed;
}

/** A new folder is a new name in the one above it, and must outlive a power failure too. */
function bucketFolders(folder: string) {
  const known = new Set<string>();
  async function make(prefix: string): Promise<string> {
    const made = path.join(folder, prefix);
    if (known.has(prefix)) return made;
    if ((await mkdir(made, { recursive: true, mode: folderMode })) !== undefined)
      await flush(folder);
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

/** The room of the disk, without what uploads that are under way still may take. */
function roomOf(folder: string, diskReserve: number | undefined) {
  let underWay = 0;
  return {
    has: async (bytes: number): Promise<boolean> => {
      const { freeBytes, reserveBytes } = await diskRoom(folder, diskReserve);
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

/** Opens a folder; it is made when there is something to keep. Names are `<bucket>/<checksum>-<number drawn by lot>`. */
export function openFolderStore(folder: string, diskReserve?: number): MediaStore {
  const aside = path.join(folder, 'uploading');
  const buckets = bucketFolders(folder);
  const room = roomOf(folder, diskReserve);

  const fileOf = (name: string) => {
    if (!nameForm.test(name)) throw new Error(`No file has the name ${JSON.stringify(name)}.`);
    return path.join(folder, name);
  };

  async function put(incoming: Incoming): Promise<Kept> {
    const prefix = prefixOf(incoming.bucket);
    let place = path.join(aside, `${prefix}-${randomBytes(12).toString('hex')}`);
    const draft = await openDraft(aside, place);
    try {
      const kept = await write(draft, incoming);
      const name = `${prefix}/${kept.checksum}-${randomBytes(8).toString('hex')}`;
      const home = await buckets.make(prefix);
      await inFolder(
        () => rename(place, fileOf(name)),
        () => buckets.makeAgain(prefix),
      );
      place = fileOf(name);
      // After the name is taken: one flush takes bytes and name to the disk, the other finds little left to
      // do. Until both are done no record leads there, and what a crash leaves is swept.
      await Promise.all([flush(place), flush(home)]);
      return { name, ...kept };
    } catch (error) {
      await unlessAbsent(unlink(place));
      throw error;
    }
  }

  async function openFile(name: string, span?: Span) {
    const stream = createReadStream(fileOf(name), { ...span, highWaterMark: readBytes });
    const opened = once(stream, 'open').then(() => stream);
    return unlessAbsent(opened);
  }

  return {
    hasRoom: room.has,
    put: (incoming) => room.taking(incoming.length, () => put(incoming)),
    open: openFile,
    exists: async (name) => (await unlessAbsent(stat(fileOf(name)))) !== undefined,
    delete: async (name) => {
      await unlessAbsent(unlink(fileOf(name)));
    },
    list: (bucket) => namesIn(folder, prefixOf(bucket)),
    sweep: (before) => sweep(aside, before),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
