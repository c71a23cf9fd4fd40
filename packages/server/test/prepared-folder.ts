// A data folder with a migrated database, made once per run. Tests that need a data folder of their own copy it.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate, startEmbedded } from '#database';

const run = promisify(execFile);
const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
/** Names the folder in the environment of the test files. */
export const preparedFolderVariable = 'COLOPHON_TEST_DATA_DIR';

/** Makes the database in `dataDir`, migrates it and stops it. */
export async function prepareFolder(dataDir: string): Promise<void> {
  const unsafe = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
  await using database = await startEmbedded({ dataDir, log, settings: unsafe });
  await migrate(database.connection, log);
}

async function prepareForThisProcess(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-prepared-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await prepareFolder(folder);
  return folder;
}

let own: Promise<string> | undefined;

/**
 * Copies a prepared data folder to `dataDir`, which must not contain a database yet. A start on it finds the database
 * `colophon`, migrated and empty. A file that runs outside of the runner prepares a folder for itself.
 */
export async function copyPreparedFolder(
  dataDir: string,
  from: string | undefined = process.env[preparedFolderVariable],
): Promise<void> {
  const prepared = from ?? (await (own ??= prepareForThisProcess()));
  await mkdir(dataDir, { recursive: true });
  // PostgreSQL may run as another user, who must be able to pass through.
  await chmod(dataDir, 0o711);
  // Keeps the owner, which fs.cp does not.
  await run('cp', ['-Rp', join(prepared, 'postgres'), join(dataDir, 'postgres')]);
}
