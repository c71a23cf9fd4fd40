// Migrates a database to the schema of this code: our SQL files, then the job queue's own schema.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { lockNumbers, lockSpace } from './advisory-locks.ts';
import { lackOfRights, unfitness } from './requirements.ts';
import type { Engine, Rights } from './requirements.ts';
import { newClient, newPool } from './client/new-client.ts';
import type { Connection } from './client/new-client.ts';
import { unreachable } from './client/pooler.ts';
import { sql } from './client/sql.ts';
import { ask, withDistribution, isDistributed } from './distribution/tables.ts';

/** Receives the log of the migration. A pino logger fits. */
export interface MigrationLog {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

export const migrationsTable = 'migrations';
/** A row with this name in the table of migrations marks a database whose restore has not ended. */
export const unfinishedRestore = 'unfinished restore';
const jobsSchema = 'graphile_worker';
const folderOfThisCode = join(import.meta.dirname, 'migrations');
const retryMs = 100;
const settings = {
  timezone: 'UTC',
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/** Runs `work` on a connection without limits of time, and ends it. */
export async function withConnection<T>(
  connection: Connection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = newClient(connection, {
    application_name: 'colophon-migrate',
    connectionTimeoutMillis: 10_000,
    settings,
  });
  // A connection lost between two statements is reported by the next one.
  client.on('error', () => undefined);
  await client.connect().catch((error: Error) => {
    throw connection.connectionString === undefined ? error : unreachable(error);
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function requireFit(client: pg.Client): Promise<void> {
  const [engine] = await ask(
    client,
    sql<Engine & Rights>`
      select
        current_setting('server_version_num')::int as version,
        current_setting('server_encoding') as encoding,
        to_regclass('public.migrations') is null as fresh,
        has_database_privilege(current_database(), 'create') and coalesce(
          (select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public'), true
        ) as may_create,
        quote_ident(current_user) as role,
        quote_ident(current_database()) as database`,
  );
  const sentence = engine && (unfitness(engine) ?? lackOfRights(engine));
  if (sentence !== undefined) throw new Error(sentence);
}

async function namesInFolder(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'));
  const odd = files.find((file) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(file));
  if (odd !== undefined)
    throw new Error(`Rename the migration ${odd} to the form 0002_what_it_does.sql.`);
  return files.map((file) => file.slice(0, -'.sql'.length)).sort();
}

async function namesInDatabase(client: pg.Client): Promise<string[]> {
  const [table] = await ask(
    client,
    sql<{ made: boolean }>`select to_regclass('public.migrations') is not null as made`,
  );
  if (table?.made !== true) return [];
  const rows = await ask(
    client,
    sql<{ name: string }>`select name from public.migrations order by id`,
  );
  return rows.map((row) => row.name);
}

async function pendingOn(client: pg.Client, folder: string): Promise<string[]> {
  const [wanted, applied] = [await namesInFolder(folder), await namesInDatabase(client)];
  const unknown = applied.filter((name) => !wanted.includes(name));
  if (unknown.includes(unfinishedRestore)) {
    throw new Error(
      'A restore into this database was interrupted: run the same restore again, or empty the database.',
    );
  }
  if (unknown.length > 0) {
    throw new Error(
      `The database is newer than this version of Colophon (it contains the migration ${unknown.join(', ')}): ` +
        'start the version that migrated it, or a later one.',
    );
  }
  return wanted.filter((name) => !applied.includes(name));
}

/** Takes the lock of migrations if it is free; it ends with the connection. */
export const migrationLock = sql<{ taken: boolean }>`
  select pg_try_advisory_lock(${lockSpace}::integer, ${lockNumbers.migrate}::integer) as taken`;

/**
 * Takes the advisory lock by polling. A blocking `pg_advisory_lock` would hold a snapshot while it waits, and
 * a `create index concurrently` of the process that has the lock waits for every older snapshot.
 */
async function takeLock(client: pg.Client, log: MigrationLog): Promise<void> {
  for (let logged = false; (await ask(client, migrationLock))[0]?.taken !== true; logged = true) {
    if (!logged)
      log.info(
        {},
        'Another server looks for migrations or applies them; this server waits for it.',
      );
    await wait(retryMs);
  }
}

async function apply(
  client: pg.Client,
  folder: string,
  name: string,
  distributed: boolean,
): Promise<void> {
  // Loaded only if there is something to do: otherwise it would cost 60 ms and 19 MB at every start.
  const { runner } = await import('node-pg-migrate');
  const silent = () => undefined;
  await runner({
    dbClient: client,
    dir: folder,
    ignorePattern: '(?!.*\\.sql$).*',
    migrationsTable,
    migrationsSchema: 'public',
    direction: 'up',
    file: name,
    noLock: true,
    singleTransaction: false,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    migrationLoaderStrategies: [
      { extensions: ['.sql'], loader: distributed ? distributingSql : plainSql },
    ],
  });
}

async function loadMigrations(paths: string[], statements: (text: string) => readonly string[]) {
  const units = paths.map(async (path) => {
    const texts = statements(await readFile(path, 'utf8'));
    const up = (builder: { sql(text: string): void }) => {
      for (const text of texts) builder.sql(text);
    };
    return { id: path, filePaths: [path], actions: { up, down: false as const } };
  });
  return Promise.all(units);
}

/** Loads whole files. The runner's own loader splits files at comments that look like its markers. */
const plainSql = (paths: string[]) => loadMigrations(paths, (text) => [text]);

/** Loads files for a distributed database. Its tables are changed over one connection for each server. */
const distributingSql = (paths: string[]) =>
  loadMigrations(paths, (text) => [
    "set local citus.multi_shard_modify_mode to 'sequential'",
    ...withDistribution(text),
  ]);

async function migrateJobs(connection: Connection, log: MigrationLog): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  const pool = newPool(connection, { settings, max: 1 });
  pool.on('error', (error) =>
    log.warn({ err: error }, 'An idle connection of the migration was lost; it is not needed.'),
  );
  pool.on('connect', (client) => client.on('error', () => undefined));
  const logger = new Logger(
    () => (level, text) => log[level === 'error' ? 'warn' : 'debug']({}, text),
  );
  try {
    await runMigrations({ pgPool: pool, schema: jobsSchema, logger });
  } finally {
    await pool.end();
  }
}

/**
 * Applies the missing migrations, forward only, each file in its own transaction, and returns their names.
 * Servers that start at the same time take turns: the later ones find nothing to do. In a distributed
 * database, new tables are distributed too.
 *
 * @param upTo the names of all migrations that the database may have; undefined: those of this code
 * @throws Error if the database is not a PostgreSQL that the service supports, if it has migrations that this
 * code does not know, or if one fails (it is rolled back, those before it stay)
 */
export async function migrate(
  connection: Connection,
  log: MigrationLog,
  folder: string = folderOfThisCode,
  upTo?: readonly string[],
): Promise<readonly string[]> {
  return withConnection(connection, async (client) => {
    await requireFit(client);
    await takeLock(client, log);
    const missing = await pendingOn(client, folder);
    const pending = upTo === undefined ? missing : missing.filter((name) => upTo.includes(name));
    const distributed = pending.length > 0 && (await isDistributed(client));
    for (const name of pending) {
      await apply(client, folder, name, distributed).catch((error: Error) => {
        throw new Error(`The migration ${name} failed and was rolled back: ${error.message}`, {
          cause: error,
        });
      });
      log.info({ migration: name }, 'Applied a migration.');
    }
    await migrateJobs(connection, log);
    return pending;
  });
}

/** Returns the names of all migrations of this code, in their order. */
export function knownMigrations(folder: string = folderOfThisCode): Promise<readonly string[]> {
  return namesInFolder(folder);
}

/**
 * Returns the names of the migrations that the next start would apply.
 * @throws Error if the database is newer than this code
 */
export async function pendingMigrations(
  connection: Connection,
  folder: string = folderOfThisCode,
): Promise<readonly string[]> {
  return withConnection(connection, (client) => pendingOn(client, folder));
}
