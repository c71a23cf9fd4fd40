// A database of its own for each test file, cloned from the run's migrated template.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { recordStatements, recordVariable } from './citus/record.ts';
import { requireNamedBuckets } from './citus/require-buckets.ts';
import type { Connection } from '#database';
import { setup } from './global-setup.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly connection: Connection & { host: string; port: number; user: string; database: string };
}

/** Set by test:citus. */
const recorded = process.env[recordVariable];
if (recorded !== undefined) recordStatements(recorded);
requireNamedBuckets();

/** The run's PostgreSQL; a file that is run alone starts one for itself. */
async function run(): Promise<{ env: NodeJS.ProcessEnv; dispose: () => Promise<void> }> {
  if (process.env['COLOPHON_TEST_DATABASE'])
    return { env: process.env, dispose: async () => undefined };
  return setup();
}

async function withAdmin<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Cloning waits its turn: PostgreSQL refuses to copy a template that another session copies. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const { env, dispose } = await run();
  const admin = JSON.parse(env['COLOPHON_TEST_DATABASE'] ?? '') as TestDatabase['connection'];
  const database = `test_${randomBytes(6).toString('hex')}`;
  await withAdmin(admin, async (client) => {
    await client.query('select pg_advisory_lock(42)');
    await client.query(
      `create database ${database} template ${env['COLOPHON_TEST_TEMPLATE']} strategy file_copy`,
    );
  });
  return {
    connection: { ...admin, database },
    [Symbol.asyncDispose]: async () => {
      await withAdmin(admin, (client) => client.query(`drop database ${database} with (force)`));
      await dispose();
    },
  };
}
