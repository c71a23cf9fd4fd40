// A database of its own for each test file, cloned from the run's migrated template.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { recordStatements, recordVariable } from './citus/record.ts';
import { workersOf } from './citus/workers.ts';
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
async function makeOn(server: pg.ClientConfig, database: string, template: string): Promise<void> {
  await withAdmin(server, async (client) => {
    await client.query('select pg_advisory_lock(42)');
    await client.query(`create database ${database} template ${template} strategy file_copy`);
  });
}

const dropsMax = 5;

/** What a killed client left prepared would keep the database of a worker from being dropped. */
async function dropOn(server: pg.ClientConfig, database: string): Promise<void> {
  const left = 'select gid from pg_prepared_xacts where database = current_database()';
  await withAdmin({ ...server, database }, async (client) => {
    const { rows } = await client.query<{ gid: string }>(left);
    for (const { gid } of rows) await client.query(`rollback prepared '${gid}'`);
  });
  await dropWhole(server, database);
}

/** PostgreSQL waits for only five seconds until the sessions that it ends have ended. */
async function dropWhole(server: pg.ClientConfig, database: string): Promise<void> {
  const drop = () =>
    withAdmin(server, (client) => client.query(`drop database ${database} with (force)`));
  const isUsed = (error: Error & { code?: string }) => {
    if (error.code !== '55006') throw error;
  };
  for (let left = dropsMax; left > 1; left -= 1) if (await drop().catch(isUsed)) return;
  await drop();
}

/** In a distributed run with several servers, the clone has a part on each of them. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const { env, dispose } = await run();
  const admin = JSON.parse(env['COLOPHON_TEST_DATABASE'] ?? '') as TestDatabase['connection'];
  const template = env['COLOPHON_TEST_TEMPLATE'] ?? '';
  const workers = workersOf(env);
  const database = `test_${randomBytes(6).toString('hex')}`;
  await Promise.all([admin, ...workers].map((server) => makeOn(server, database, template)));
  return {
    connection: { ...admin, database },
    [Symbol.asyncDispose]: async () => {
      await dropWhole(admin, database);
      await Promise.all(workers.map((server) => dropOn(server, database)));
      await dispose();
    },
  };
}
