// A PostgreSQL of its own for one benchmark, started by the server's own supervisor and removed at the end.
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
  /** For DATABASE_URL. */
  readonly url: (database?: string) => string;
  /** Another database on the same server, migrated; answers its DATABASE_URL. */
  readonly another: (name: string) => Promise<string>;
  /** Runs statements as the owner. */
  readonly asOwner: <T>(work: (client: pg.Client) => Promise<T>, database?: string) => Promise<T>;
}

/** What is filled in by hand is of this version: no worker makes it anew beside what is measured. */
const markMade = 'update derived_versions set version = 1000000';

/** `settings` are PostgreSQL's, over those that the server gives its embedded database. */
export async function openBenchDatabase(
  settings: Record<string, string> = {},
): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const database = await startEmbedded({ dataDir: folder, log: quietLog, settings });
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
    [Symbol.asyncDispose]: async () => {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
