// The door of the embedded database: a PostgreSQL in the data folder, started and supervised.

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '#runtime';
import { restrictAccess } from './access.ts';
import { prepareBinaries } from './binaries.ts';
import { createCluster, readMajor, sweepUnfinished } from './create-cluster.ts';
import { failure, inPlainWords } from './failure.ts';
import { createLauncher } from './launch.ts';
import type { Launcher } from './launch.ts';
import { takeLock } from './lock.ts';
import { findPostmaster } from './pid-file.ts';
import { chooseRunUser, giveFolder } from './run-user.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';
import { connectionIn, prepareSocketFolder, removeShortFolder } from './socket-folder.ts';
import { endEarlierServer } from './takeover.ts';
import type { DataDirState, EmbeddedDatabase, EmbeddedOptions } from './types.ts';

export type {
  DataDirState,
  EmbeddedConnection,
  EmbeddedDatabase,
  EmbeddedLog,
  EmbeddedOptions,
} from './types.ts';

/**
 * Starts PostgreSQL on `<dataDir>/postgres` and resolves when it accepts connections. Creates the database at
 * the first start, stops a server that a killed process left behind, recovers stale lock files, and refuses a
 * folder that another server uses. If this process is root, PostgreSQL runs as a different user. Call it on
 * the main thread: PostgreSQL ends with the thread that started it.
 * @throws Error with a message of one sentence for the operator
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await start(options);
  } catch (error) {
    throw inPlainWords(error, options.dataDir);
  }
}

/** Returns the state of a data folder without changing it: `connection` reaches the server if one runs. */
export async function inspectDataDir(dataDir: string): Promise<DataDirState> {
  try {
    const folder = join(await realpath(dataDir).catch(() => dataDir), 'postgres');
    const major = await readMajor(folder);
    if (major === undefined) return { state: 'absent' };
    const running = await findPostmaster(folder);
    if (running === undefined) return { state: 'stopped', major };
    return {
      state: 'running',
      major,
      pid: running.pid,
      connection: connectionIn(folder, running.socketFolder),
    };
  } catch (error) {
    throw inPlainWords(error, dataDir);
  }
}

async function start({
  dataDir: given,
  log,
  settings = {},
  starting,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = await openDataDir(given);
  const folder = join(dataDir, 'postgres');
  await using started = new AsyncDisposableStack();
  started.use(await takeLock(dataDir));
  await sweepUnfinished(dataDir);
  const user = await chooseRunUser(dataDir, folder);
  const [binaries, launcher] = await Promise.all([
    prepareBinaries(user, dataDir),
    createLauncher(user),
  ]);
  const major = await readMajor(folder);
  if (major === undefined) {
    log.info({ folder }, 'Creating the database; this happens once.');
    await createCluster(dataDir, folder, binaries, launcher);
  } else {
    refuseOtherMajor(folder, major, binaries.major);
    // First: a server that runs as the earlier owner could not write its remaining files.
    await endEarlierServer(folder, log);
    await giveFolder(folder, user);
  }
  await restrictAccess(folder, user);
  warnUnbound(launcher, log);
  const socket = await prepareSocketFolder(dataDir, folder, user);
  started.defer(() => removeShortFolder(dataDir, socket));
  const server = await startServer({ binaries, launcher, folder, socket, settings, log, starting });
  const connection = connectionIn(folder, socket.client);
  return supervise({ server, connection, log }, started.move());
}

async function openDataDir(given: string): Promise<string> {
  // If this process is root, the server's user must be able to enter the folder, but not to list it.
  await makeFolders(given, process.geteuid?.() === 0 ? 0o711 : 0o700);
  return realpath(given);
}

function refuseOtherMajor(folder: string, found: number, ours: number): void {
  if (found === ours) return;
  throw failure(
    `${folder} was written by PostgreSQL ${found}, but this version of Colophon runs PostgreSQL ${ours}: start the version that wrote it, or transfer the content by backup and restore.`,
  );
}

function warnUnbound({ setpriv }: Launcher, log: EmbeddedOptions['log']): void {
  if (setpriv !== undefined || process.platform !== 'linux') return;
  log.warn(
    {},
    'The command setpriv is missing; if the server is killed, its database keeps running until the next start.',
  );
}

function supervise(
  {
    server,
    connection,
    log,
  }: { server: Server } & Pick<EmbeddedDatabase, 'connection'> & Pick<EmbeddedOptions, 'log'>,
  held: AsyncDisposableStack,
): EmbeddedDatabase {
  const unasked = Promise.withResolvers<void>();
  let stopping: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await server.stop();
    await held.disposeAsync();
  };
  const stop = (): Promise<void> => (stopping ??= end());
  void server.ended.then(async () => {
    if (stopping !== undefined) return;
    // The folder is available for a new start, unless the disk refuses that too.
    await stop().catch((error: Error) =>
      log.error(
        { err: error },
        'Files of the stopped database could not be removed; the next start removes them.',
      ),
    );
    unasked.resolve();
  });
  return {
    connection,
    pid: server.pid,
    exited: unasked.promise,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
