// The ledger of erasures: outside the database, so that an old backup restores no erased text; shared by all hosts.
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { LedgerFiles } from '#storage';
import { erasureOf, ledgerLine } from './lines.ts';
import type { Erasure } from './lines.ts';

export { erasureOf, ledgerLine } from './lines.ts';
export type { Erasure } from './lines.ts';

/** Where a line is that cannot be read. */
export interface BrokenLine {
  readonly file: string;
  readonly line: number;
}

export interface Ledger {
  /** Resolves when the lines are durable in the media store. A duplicate line has no further effect. */
  append(erasures: readonly Erasure[]): Promise<void>;
  /** Yields every erasure of every host, about oldest first; a broken line is reported and skipped. */
  read(onBroken: (where: BrokenLine) => void): AsyncGenerator<Erasure>;
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
 * Bytes after which a process begins another file. A file is replaced as a whole with each erasure, because S3
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

  return (erasures: readonly Erasure[]): Promise<void> => {
    if (erasures.length === 0) return Promise.resolve();
    const done = Promise.withResolvers<void>();
    waiting.push({ lines: erasures.map(ledgerLine), done });
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

function* erasuresIn(
  { name, bytes }: { readonly name: string; readonly bytes: Buffer | undefined },
  onBroken: (where: BrokenLine) => void,
): Generator<Erasure> {
  const lines = (bytes?.toString('utf8') ?? '').split('\n');
  for (const [index, line] of lines.entries()) {
    const erasure = erasureOf(line);
    if (erasure !== undefined) yield erasure;
    else if (line !== '') onBroken({ file: name, line: index + 1 });
  }
}

async function* readAll(
  files: LedgerFiles,
  onBroken: (where: BrokenLine) => void,
): AsyncGenerator<Erasure> {
  const names = (await files.list()).map(({ name }) => name).toSorted();
  for (let at = 0; at < names.length; at += readAtOnce) {
    const group = names.slice(at, at + readAtOnce);
    const read = await Promise.all(
      group.map(async (name) => ({ name, bytes: await files.read(name) })),
    );
    for (const one of read) yield* erasuresIn(one, onBroken);
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

async function* erasuresOfFile(file: string): AsyncGenerator<Erasure> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  for await (const line of lines) {
    const erasure = erasureOf(line);
    if (erasure !== undefined) yield erasure;
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
  return {
    append,
    read: (onBroken) => readAll(files, onBroken),
    copy: async () => {
      if (copies !== undefined) await copyFiles(files, copies);
    },
    recover: async () => {
      if (copies !== undefined) await copyFiles(copies, files);
    },
    adopt: (file) =>
      unlessAbsent(async () => {
        for await (const group of inGroups(erasuresOfFile(file), linesAtOnce)) await append(group);
        await rename(file, file.replace(/(?:\.log)?$/, '-adopted.log'));
      }),
  };
}
