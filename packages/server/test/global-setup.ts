// Before all tests: one PostgreSQL for the run, with a template database that is migrated once.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '#database';
import { openLog } from '#services';
import { makeFastFolder } from './fast-folder.ts';
import { copyPreparedFolder, prepareFolder, preparedFolderVariable } from './prepared-folder.ts';

/** Starts the database of a test run. Test files find it by the environment and clone the template. */
export async function setup(): Promise<{
  env: Record<string, string>;
  dispose: () => Promise<void>;
}> {
  // A long run checks the plans of statements on a million articles: several GB, planned as on a server.
  const isLong = process.env['LONG'] !== undefined;
  const folder = await makeFastFolder({ isLarge: isLong });
  const prepared = join(folder, 'prepared');
  await prepareFolder(prepared);
  const dataDir = join(folder, 'run');
  await copyPreparedFolder(dataDir, prepared);
  const database = await startEmbedded({
    dataDir,
    log: openLog('error'),
    settings: {
      max_connections: '400',
      // Each clone and each drop of a database looks at every page of it.
      shared_buffers: '64MB',
      synchronous_commit: 'off',
      fsync: 'off',
      // A connection of a test runs most statements a few times only: planning every call took a fifth of
      // the database's processor time. A connection of a server has the same plans after its fifth call.
      plan_cache_mode: isLong ? 'auto' : 'force_generic_plan',
      full_page_writes: 'off',
    },
  });
  // No client may be connected to the template while it is cloned.
  const { database: template } = database.connection;
  return {
    env: {
      COLOPHON_TEST_DATABASE: JSON.stringify({ ...database.connection, database: 'postgres' }),
      COLOPHON_TEST_TEMPLATE: template,
      [preparedFolderVariable]: prepared,
    },
    dispose: async () => {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
