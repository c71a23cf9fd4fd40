// A PostgreSQL for one benchmark, started by the server's own supervisor and removed at the end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, startEmbedded } from '../../packages/server/src/database/index.ts';
import type { EmbeddedDatabase } from '../../packages/server/src/database/index.ts';

const silent = () => undefined;
export const quietLog = { debug: silent, info: silent, warn: silent, error: silent };

export interface BenchDatabase extends AsyncDisposable {
  readonly connection: EmbeddedDatabase['connection'];
  /** Returns a value for DATABASE_URL. */
  readonly url: (database?: string) => string;
  /** Creates another database on the same server, migrates it and returns its DATABASE_URL. */
  readonly another: (name: string) => Promise<string>;
  /** Runs statements as the owner. */
  readonly asOwner: <T>(work: (client: pg.Client) => Promise<T>, database?: string) => Promise<T>;
  /** Stops PostgreSQL and starts it on the same data and address. Returns the seconds that the start took. */
  readonly restart: () => Promise<number>;
}

/**
 * Rows that are filled in directly get this version, so that no worker rebuilds them during a measurement.
 */
const markMade = 'update derived_versions set version = 1000000';

/**
 * Opens the database. `settings` are PostgreSQL settings, which override those of the server's embedded
 * database.
 */
export async function openBenchDatabase(
  settings: Record<string, string> = {},
): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const start = () => startEmbedded({ dataDir: folder, log: quietLog, settings });
  let database = await start();
  const { connection } = database;
  await migrate(connection, quietLog);
  const url = (name = connection.database) =>
    `postgres:///${name}?host=${encodeURIComponent(connection.host)}&port=${connection.port}&user=${connection.user}`;
  const asOwner: BenchDatabase['asOwner'] = async (work, name = connection.database) => {
    const client = new pg.Client({ ...connection, database: name });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  await asOwner((client) => client.query(markMade));
  return {
    connection,
    url,
    another: async (name) => {
      await asOwner((client) => client.query(`create database ${name}`));
      await migrate({ ...connection, database: name }, quietLog);
      await asOwner((client) => client.query(markMade), name);
      return url(name);
    },
    asOwner,
    restart: async () => {
      await database.stop();
      const began = performance.now();
      database = await start();
      return (performance.now() - began) / 1000;
    },
    [Symbol.asyncDispose]: async () => {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
