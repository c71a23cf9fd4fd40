// Before all tests: one PostgreSQL for the run, with a template database that is migrated once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, startEmbedded } from '#database';
import { openLog } from '#services';

const templateName = 'colophon_template';

/** Starts the database of a test run. Test files find it by the environment and clone the template. */
export async function setup(): Promise<{
  env: Record<string, string>;
  dispose: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const log = openLog('error');
  const database = await startEmbedded({
    dataDir: folder,
    log,
    settings: {
      max_connections: '400',
      synchronous_commit: 'off',
      fsync: 'off',
      full_page_writes: 'off',
    },
  });
  const admin = new pg.Client(database.connection);
  await admin.connect();
  await admin.query(`create database ${templateName}`);
  await admin.end();
  await migrate({ ...database.connection, database: templateName }, log);
  return {
    env: {
      COLOPHON_TEST_DATABASE: JSON.stringify(database.connection),
      COLOPHON_TEST_TEMPLATE: templateName,
    },
    dispose: async () => {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
