// The ledger: what must not return with an older backup. It is outside the database, and shared by all hosts.
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { LedgerFiles } from '#storage';
import { entryOf, ledgerLine } from './lines.ts';
import type { LedgerEntry } from './lines.ts';

export { entryOf, ledgerLine } from './lines.ts';
export type { Closing, Erasure, LedgerEntry, LegalAct } from './lines.ts';

/** Where a line is that cannot be read. */
export interface BrokenLine {
  readonly file: string;
  readonly line: number;
}

/** Entries of one kind that the database has, and a copy of the ledger may not have. */
export interface Unrecorded<T extends LedgerEntry> {
  list(limit: number): Promise<readonly T[]>;
  /** Called when every copy contains them: they are listed no more. */
  setRecorded(entries: readonly T[]): Promise<void>;
}

export interface Ledger {
  /** Resolves when the lines are durable in the media store. A duplicate line has no further effect. */
  append(entries: readonly LedgerEntry[]): Promise<void>;
  /** Appends and copies what is unrecorded, in steps. */
  complete<T extends LedgerEntry>(unrecorded: Unrecorded<T>): Promise<void>;
  /** Yields every entry of every host, about oldest first; a line that cannot be read is reported and skipped. */
  read(onBroken: (where: BrokenLine) => void): AsyncGenerator<LedgerEntry>;
  /** Copies what BACKUP_TO does not contain. */
  copy(): Promise<void>;
  /** Copies from BACKUP_TO what the media store does not contain, because it is new. */
  recover(): Promise<void>;
  /** Moves the lines of a file into the ledger, which earlier versions wrote in DATA_DIR, if it exists. */
  adopt(file: string): Promise<void>;
}

/** The name of the file in DATA_DIR in which earlier versions stored the ledger. */
export const formerLedger = 'erasures.log';

/**
 * Bytes after which a process begins another file. A file is replaced as a whole with each entry, because S3
 * cannot append.
 */
const fileBytes = 256 * 1024;
/** Files that are read at the same time. */
const readAtOnce = 8;
const linesAtOnce = 1_000;

interface Waiting {
  readonly lines: readonly string[];
  readonly done: PromiseWithResolvers<void>;
}

/** Names sort by time. No two processes write to one file. */
function newName(): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return `${time}Z-${randomBytes(8).toString('hex')}.log`;
}

/** Returns a function that appends lines. Those that arrive during a write share the next one. */
function writer(files: LedgerFiles) {
  let waiting: Waiting[] = [];
  let isWriting = false;
  let name = newName();
  let stored: ReadonlySet<string> = new Set<string>();
  let size = 0;

  async function write(lines: readonly string[]): Promise<void> {
    const fresh = new Set(lines).difference(stored);
    if (fresh.size === 0) return;
    if (size >= fileBytes) [name, stored, size] = [newName(), new Set(), 0];
    const all = stored.union(fresh);
    const bytes = Buffer.from([...all].join(''));
    await files.write(name, bytes);
    [stored, size] = [all, bytes.length];
  }

  async function flush(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await write(batch.flatMap(({ lines }) => lines)).then(
        () => batch.forEach(({ done }) => done.resolve()),
        (error: Error) => batch.forEach(({ done }) => done.reject(error)),
      );
    }
    isWriting = false;
  }

  return (entries: readonly LedgerEntry[]): Promise<void> => {
    if (entries.length === 0) return Promise.resolve();
    const done = Promise.withResolvers<void>();
    waiting.push({ lines: entries.map(ledgerLine), done });
    if (!isWriting) void flush();
    return done.promise;
  };
}

async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function* entriesIn(
  { name, bytes }: { readonly name: string; readonly bytes: Buffer | undefined },
  onBroken: (where: BrokenLine) => void,
): Generator<LedgerEntry> {
  const lines = (bytes?.toString('utf8') ?? '').split('\n');
  for (const [index, line] of lines.entries()) {
    const entry = entryOf(line);
    if (entry !== undefined) yield entry;
    else if (line !== '') onBroken({ file: name, line: index + 1 });
  }
}

async function* readAll(
  files: LedgerFiles,
  onBroken: (where: BrokenLine) => void,
): AsyncGenerator<LedgerEntry> {
  const names = (await files.list()).map(({ name }) => name).toSorted();
  for (let at = 0; at < names.length; at += readAtOnce) {
    const group = names.slice(at, at + readAtOnce);
    const read = await Promise.all(
      group.map(async (name) => ({ name, bytes: await files.read(name) })),
    );
    for (const one of read) yield* entriesIn(one, onBroken);
  }
}

/** Copies files that the target does not contain, or contains in an earlier and therefore shorter state. */
async function copyFiles(from: LedgerFiles, to: LedgerFiles): Promise<void> {
  const found = new Map((await to.list()).map(({ name, size }) => [name, size]));
  for (const { name, size } of await from.list()) {
    if ((found.get(name) ?? -1) >= size) continue;
    const bytes = await from.read(name);
    if (bytes !== undefined) await to.write(name, bytes);
  }
}

async function* entriesOfFile(file: string): AsyncGenerator<LedgerEntry> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  for await (const line of lines) {
    const entry = entryOf(line);
    if (entry !== undefined) yield entry;
  }
}

async function unlessAbsent(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Opens the ledger in `files`, the media store's, with a copy where backups are stored. Nothing is contacted
 * before it is used.
 */
export function openLedger(files: LedgerFiles, copies?: LedgerFiles): Ledger {
  const append = writer(files);
  const copy = async () => {
    if (copies !== undefined) await copyFiles(files, copies);
  };
  return {
    append,
    complete: async ({ list, setRecorded }) => {
      for (let left = true; left;) {
        const entries = await list(linesAtOnce);
        left = entries.length === linesAtOnce;
        if (entries.length === 0) return;
        // The request has usually appended them. Without a mark for that, it costs a second line, and another one at
        // each rotation and start while the copies cannot be written.
        await append(entries);
        await copy();
        await setRecorded(entries);
      }
    },
    read: (onBroken) => readAll(files, onBroken),
    copy,
    recover: async () => {
      if (copies !== undefined) await copyFiles(copies, files);
    },
    adopt: (file) =>
      unlessAbsent(async () => {
        for await (const group of inGroups(entriesOfFile(file), linesAtOnce)) await append(group);
        await rename(file, file.replace(/(?:\.log)?$/, '-adopted.log'));
      }),
  };
}
