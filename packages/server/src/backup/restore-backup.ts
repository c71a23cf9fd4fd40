// Restores a backup into an empty database and an empty store: everything or, for the database, nothing.
import {
  clearUnused,
  openCopyLock,
  databaseUse,
  knownMigrations,
  markUnfinished,
  migrate,
  openLoader,
} from '#database';
import type { Connection, Filling, Loader } from '#database';
import { entryOf } from '#ledger';
import type { Ledger, LedgerEntry } from '#ledger';
import type { Incoming, MediaStore } from '#storage';
import { readArchive } from './archive-reader.ts';
import type { Visitor } from './archive-reader.ts';
import type { BackupHeader, Manifest } from './format.ts';
import type { Steps } from './make-backup.ts';
import { openSpool } from './spool.ts';
import type { Spool } from './spool.ts';

export interface RestoreTarget {
  /** The owner of the database: it makes the tables. */
  readonly connection: Connection;
  readonly store: MediaStore;
  readonly ledger: Ledger;
}

export interface RestoreOptions {
  readonly steps: Steps;
  /** Whether the store may contain files already: those with the same names are left as they are. */
  readonly keepMedia: boolean;
  /** Changes the restored rows in the same transaction, so that no server ever sees them without the change. */
  readonly change?: (ask: Loader['ask']) => Promise<void>;
}

type Log = Parameters<typeof migrate>[1];

const silent = () => undefined;
const quiet: Log = { debug: silent, info: silent, warn: silent };

/** @throws Error in a sentence for the operator: the target is in use */
async function requireEmpty(
  { connection, store }: RestoreTarget,
  keepMedia: boolean,
): Promise<void> {
  const use = await databaseUse(connection);
  if (use === 'used') {
    throw new Error(
      'The database is not empty: restore into an empty one (another DATA_DIR, or a new database in DATABASE_URL).',
    );
  }
  // A restore that was killed had begun to store the same files.
  if (keepMedia || use === 'unfinished' || (await store.isEmpty())) return;
  throw new Error(
    'The media store is not empty: set MEDIA_STORE or DATA_DIR to an empty one, or add --keep-media if its files belong to this backup.',
  );
}

async function requireKnown({ migrations }: BackupHeader): Promise<void> {
  const known = await knownMigrations();
  const newer = migrations.filter((name) => !known.includes(name));
  if (newer.length === 0) return;
  throw new Error(
    `The backup is newer than this version of Colophon (it has the migration ${newer.join(', ')}): restore it with the version that made it, or a later one.`,
  );
}

/** Makes the schema that the database had when the backup was taken, without rows. */
async function makeSchema(connection: Connection, migrations: readonly string[]): Promise<void> {
  await clearUnused(connection);
  await migrate(connection, quiet, undefined, migrations);
  await markUnfinished(connection);
}

/** Files up to this size are stored several at a time, because each waits for the disk or the network. */
const smallBytes = 1024 * 1024;
const atOnce = 8;

function storeMembers({ store }: RestoreTarget, { steps, keepMedia }: RestoreOptions) {
  const running = new Set<Promise<void>>();

  async function put(name: string, size: number, chunks: Incoming['chunks']) {
    await store.putAs(name, { length: size, chunks });
    steps.add();
  }

  async function later(name: string, bytes: Buffer): Promise<void> {
    if (running.size >= atOnce) await Promise.race(running);
    const work = put(name, bytes.length, [bytes]).finally(() => running.delete(work));
    // Its failure is reported by the next race or by the end.
    work.catch(silent);
    running.add(work);
  }

  const file: Visitor['file'] = async (name, size, chunks) => {
    const isStored = keepMedia && (await store.exists(name));
    if (size > smallBytes && !isStored) return put(name, size, chunks);
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) if (!isStored) parts.push(chunk);
    if (isStored) steps.add();
    else await later(name, Buffer.concat(parts));
  };
  return {
    file,
    end: async () => {
      await Promise.all(running);
    },
  };
}

/** Entries that are written to the ledger at once. */
const entriesAtOnce = 10_000;

/** Adds the entries of a backup to the ledger, and those of BACKUP_TO, which may be later. */
async function joinLedger(ledger: Ledger, found: Spool): Promise<void> {
  let waiting: LedgerEntry[] = [];
  for await (const line of found.lines()) {
    const entry = entryOf(line);
    if (entry !== undefined) waiting.push(entry);
    if (waiting.length < entriesAtOnce) continue;
    await ledger.append(waiting);
    waiting = [];
  }
  await ledger.append(waiting);
  await ledger.recover();
}

/** Fills one table after another, and counts what the database took. */
function fillingTables(steps: Steps) {
  const loaded: Record<string, number> = {};
  let current: { readonly table: string; readonly filling: Filling } | undefined;
  async function end(): Promise<void> {
    if (current === undefined) return;
    const { table, filling } = current;
    current = undefined;
    const count = await filling.end();
    loaded[table] = count;
    steps.add(count);
  }
  return {
    loaded,
    end,
    rows: async (loader: Loader, header: BackupHeader, table: string, rows: Buffer) => {
      if (current?.table !== table) {
        await end();
        const found = header.tables.find(({ name }) => name === table);
        if (found === undefined)
          throw new Error(`The backup has rows of an unknown table ${table}.`);
        current = { table, filling: loader.begin(found) };
      }
      await current.filling.write(rows);
    },
  };
}

function requireLoaded(loaded: Readonly<Record<string, number>>, { contents }: Manifest): void {
  for (const [table, count] of Object.entries(contents.rows)) {
    if (loaded[table] === count) continue;
    throw new Error(
      `The database has ${loaded[table] ?? 0} rows of ${table} instead of ${count}: nothing was restored.`,
    );
  }
}

/**
 * Restores the archive. Nothing is in the database before the whole archive has been read and checked; a
 * restore that was killed can be started again.
 * @throws Error in a sentence for the operator
 */
export async function restoreBackup(
  archive: ReadableStream<Uint8Array>,
  target: RestoreTarget,
  options: RestoreOptions,
): Promise<{ readonly header: BackupHeader; readonly manifest: Manifest }> {
  const { steps, keepMedia, change } = options;
  await using stack = new AsyncDisposableStack();
  let open: { readonly loader: Loader; readonly header: BackupHeader } | undefined;
  const tables = fillingTables(steps);
  const store = storeMembers(target, options);
  const erasures = stack.use(await openSpool());
  let filesBegun = false;
  const lock = stack.use(await openCopyLock(target.connection, 'restore'));
  if (!lock.isHeld)
    throw new Error('Another restore into this database is running. Wait until it has ended.');
  await requireEmpty(target, keepMedia);
  const read = await readArchive(archive, {
    header: async (header) => {
      await requireKnown(header);
      await makeSchema(target.connection, header.migrations);
      open = { header, loader: stack.use(await openLoader(target.connection)) };
      steps.begin('rows', header.expected.rows || undefined, 0);
    },
    rows: async (table, rows) => {
      if (open !== undefined) await tables.rows(open.loader, open.header, table, rows);
    },
    file: async (name, size, chunks) => {
      if (!filesBegun) {
        await tables.end();
        steps.begin('files', open?.header.expected.files, 0);
        filesBegun = true;
      }
      await store.file(name, size, chunks);
    },
    erasures: (lines) => erasures.add(lines),
  });
  await tables.end();
  await store.end();
  requireLoaded(tables.loaded, read.manifest);
  // Only now: the lines of a damaged backup are not trusted.
  await joinLedger(target.ledger, erasures);
  steps.begin('indexes and keys', undefined, 0);
  if (open !== undefined) await change?.(open.loader.ask);
  await open?.loader.commit(() => steps.add());
  return read;
}
