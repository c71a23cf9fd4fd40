// The services that everything depends on: database, clock, log, settings and workers.
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { requireDataDir } from '#config';
import type { Config } from '#config';
import {
  asServiceRole,
  auditPower,
  connectionTo,
  inspectDataDir,
  migrate,
  openDatabase,
  openReplicas,
  standbyAt,
  startEmbedded,
} from '#database';
import type { Connection, Database, Db, EmbeddedDatabase, Replicas } from '#database';
import { openDrawing } from '#drawing';
import type { Drawing } from '#drawing';
import { openImageWork } from '#images';
import type { ImageWork } from '#images';
import { openLedger } from '#ledger';
import type { Ledger } from '#ledger';
import { openLedgerFiles, openMediaStore, requireStore } from '#storage';
import type { MediaStore } from '#storage';
import { openTextWork } from '@colophon/text';
import type { TextWork } from '@colophon/text';
import type { Traces } from '#tracing';
import type { Logger } from 'pino';
import { confinementOf, sweepTemporary } from '#runtime';

export { openLog } from './log.ts';

export interface Services extends AsyncDisposable {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Database;
  /** Standbys for public reads; undefined: there are none. */
  readonly replicas: Replicas | undefined;
  readonly now: () => Date;
  /** undefined, or not there: nothing is traced. */
  readonly traces?: Traces | undefined;
  readonly text: TextWork;
  readonly store: MediaStore;
  readonly ledger: Ledger;
  readonly images: ImageWork;
  readonly drawing: Drawing;
  readonly connection: Connection;
  /** Resolves when the embedded database ended unexpectedly; never for an external one. */
  readonly databaseLost: Promise<void>;
}

/** Its location is that of the installed packages, which may differ from that of the program. */
const sharpFile = fileURLToPath(import.meta.resolve('sharp'));
const readers = 4;
const writers = 16;
/**
 * Memory limit of a process that decodes or draws. The process ends itself at a lower limit; this one applies
 * if it does not.
 */
const bytesMax = 1.5 * 1024 ** 3;

/** Returns the connection to the embedded database that the supervisor of this process runs. */
async function connectionOfHost({ dataDir }: Config): Promise<Connection> {
  const { connection } = await inspectDataDir(dataDir);
  if (connection === undefined) throw new Error('The database of the supervisor has ended.');
  return connection;
}

async function connect(
  config: Config,
  log: Logger,
  starting?: () => void,
): Promise<{ connection: Connection; embedded?: EmbeddedDatabase }> {
  if (config.databaseUrl !== undefined) {
    const moved = (primary: string) =>
      log.warn({ primary }, 'Another host of DATABASE_URL is the primary now.');
    return { connection: await connectionTo(config.databaseUrl, moved) };
  }
  if (config.processName !== undefined) return { connection: await connectionOfHost(config) };
  const embedded = await startEmbedded({ dataDir: config.dataDir, log, starting });
  return { connection: embedded.connection, embedded };
}

function replicasOf(
  { replicaUrls }: Config,
  log: Logger,
  { primary, sharded }: { readonly primary: Db; readonly sharded: boolean },
): Replicas | undefined {
  if (replicaUrls.length === 0) return undefined;
  return openReplicas({
    primary,
    sharded,
    connections: replicaUrls.map(standbyAt),
    changed: (standby, reason) => {
      if (reason === undefined) log.info({ standby }, 'Public reads use this standby.');
      else
        log.warn({ standby, reason }, 'This standby is left out; it is asked again every second.');
    },
  });
}

/** Age after which an upload is left over: none takes longer than 10 minutes, in any process. */
const uploadMs = 15 * 60_000;

/** Opens the ledger of erasures, which is stored with the media and copied to the backups. */
export async function openLedgerOf({
  mediaStore,
  backupTo,
}: Pick<Config, 'mediaStore' | 'backupTo'>): Promise<Ledger & AsyncDisposable> {
  const files = await openLedgerFiles(mediaStore);
  const copies = backupTo === undefined ? undefined : await openLedgerFiles(backupTo);
  return {
    ...openLedger(files, copies),
    [Symbol.asyncDispose]: async () => {
      await files[Symbol.asyncDispose]();
      await copies?.[Symbol.asyncDispose]();
    },
  };
}

/** Returns the resources with a span for each statement and each call of the store. */
async function tracedOf(
  { db, replicas, store }: Pick<Services, 'db' | 'replicas' | 'store'>,
  traces: Traces,
): Promise<Pick<Services, 'db' | 'replicas' | 'store'>> {
  const { tracedCalls, tracedDatabase, tracedReads } = await import('#tracing');
  return {
    db: tracedDatabase(db, traces),
    replicas: replicas && { ...replicas, begin: () => tracedReads(replicas.begin(), traces) },
    store: tracedCalls(store, ['put', 'putAs', 'open', 'exists', 'delete'], {
      what: 'store',
      traces,
    }),
  };
}

/** Removes what killed processes left behind. It only takes space: a failure does not prevent a start. */
async function sweepLeftovers(store: MediaStore, log: Logger): Promise<void> {
  await Promise.all([store.sweep(new Date(Date.now() - uploadMs)), sweepTemporary()]).catch(
    (error: Error) =>
      log.warn(
        { err: error },
        'Files of killed processes could not be removed; the next start tries again.',
      ),
  );
}

interface Started {
  readonly embedded?: EmbeddedDatabase | undefined;
  readonly traces?: Traces | undefined;
}

async function openAll(
  config: Config,
  log: Logger,
  connection: Connection,
  { embedded, traces }: Started = {},
): Promise<Services> {
  const store = await openMediaStore(config.mediaStore, config.diskReserve);
  const ledger = await openLedgerOf(config);
  await sweepLeftovers(store, log);
  const bounds = { dataDir: config.dataDir, bytesMax, warn: (text: string) => log.warn({}, text) };
  const images = openImageWork((program) => confinementOf('images', [program, sharpFile], bounds));
  const drawing = openDrawing((program) =>
    confinementOf('drawing', [program, sharpFile, `${tmpdir()}/`], bounds),
  );
  const db = openDatabase({
    connection,
    readers,
    writers,
    onError: (error) =>
      log.warn({ err: error }, 'A database connection was lost; it is replaced when needed.'),
  });
  const replicas = replicasOf(config, log, {
    primary: db,
    sharded: connection.sharded === true,
  });
  const text = openTextWork((error) =>
    log.warn({ err: error }, 'A thread for text work failed; the task has no result.'),
  );
  return {
    config,
    log,
    ...(traces === undefined
      ? { db, replicas, store }
      : await tracedOf({ db, replicas, store }, traces)),
    traces,
    now: () => new Date(),
    text,
    ledger,
    images,
    drawing,
    connection,
    databaseLost: embedded?.exited ?? new Promise(() => undefined),
    [Symbol.asyncDispose]: async () => {
      await text[Symbol.asyncDispose]();
      await images[Symbol.asyncDispose]();
      await drawing[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
      await replicas?.[Symbol.asyncDispose]();
      await db[Symbol.asyncDispose]();
      await embedded?.stop();
    },
  };
}

/** Opens services on a database that another process supervises and has migrated. */
export function reachServices(
  config: Config,
  log: Logger,
  connection: Connection,
): Promise<Services> {
  return openAll(config, log, connection);
}

/**
 * Logs a warning if the role of DATABASE_URL could change the audit log. The operator chooses the role, so it
 * is not refused.
 */
async function warnOfSettings(services: Services): Promise<Services> {
  const power = await auditPower(services.db);
  if (power !== undefined) services.log.warn(power);
  return services;
}

interface Opening {
  /** Called before and after the migration. */
  readonly migrating?: ((over: boolean) => void) | undefined;
  readonly traces?: Traces | undefined;
  /** Called when the embedded database is starting. */
  readonly starting?: () => void;
}

/**
 * Starts or connects to the database, migrates it, and opens the connections.
 * @throws Error with a message for the operator
 */
export async function openServices(
  config: Config,
  log: Logger,
  { migrating, traces, starting }: Opening = {},
): Promise<Services> {
  await requireDataDir(config);
  await requireStore(config.mediaStore);
  const { connection, embedded } = await connect(config, log, starting);
  try {
    migrating?.(false);
    await migrate(connection, log);
    migrating?.(true);
    if (config.databaseUrl !== undefined)
      return await warnOfSettings(await openAll(config, log, connection, { traces }));
    return await openAll(config, log, await asServiceRole(connection), { embedded, traces });
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
