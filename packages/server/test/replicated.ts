// A primary with a streaming standby, for tests of failover and of reads from a standby.
import { appendFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { processFields } from '#runtime';
import { ownPostgres } from './own-postgres.ts';
import type { OwnPostgres } from './own-postgres.ts';
import { until } from './throw-away-database.ts';
import { ownPort } from './own-port.ts';

export interface Cluster {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  readonly connection: pg.ClientConfig;
}

const settings = `
wal_level = replica
max_wal_senders = 8
wal_keep_size = 64MB
hot_standby = on
max_connections = 200
# The computer does not fail in these tests, only its processes.
fsync = off
`;

async function query<R extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  text: string,
  between?: () => Promise<void>,
  then?: string,
): Promise<R[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const first = await client.query<R>(text);
    if (between === undefined || then === undefined) return first.rows;
    await between();
    return (await client.query<R>(then)).rows;
  } finally {
    await client.end();
  }
}

export interface Replicated extends AsyncDisposable {
  readonly postgres: OwnPostgres;
  /** Makes a cluster without a database of the service, and starts it as a primary. */
  primary(name: string): Promise<Cluster>;
  /** Makes a streaming standby of a running primary, which waits for it at each commit from then on if `synchronous`. */
  standbyOf(primary: Cluster, name: string, synchronous: boolean, port?: number): Promise<Cluster>;
  promote(standby: Cluster): Promise<void>;
  /** Sends a signal to every process of the cluster. */
  signal(cluster: Cluster, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  ask<R extends pg.QueryResultRow>(cluster: Cluster, text: string): Promise<R[]>;
}

/** The server and all its children. */
async function processesOf({ data }: Cluster): Promise<readonly number[]> {
  const [text = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  const parent = Number(text);
  const all = (await readdir('/proc')).map(Number);
  return [parent, ...all.filter((pid) => processFields(pid)?.[1] === String(parent))];
}

/** Makes a folder for the clusters; its end stops them, also those that were suspended. */
export async function openReplicated(): Promise<Replicated> {
  const postgres = await ownPostgres('embedded');
  const suspended = new Set<number>();

  async function clusterAt(name: string, chosen?: number): Promise<Cluster> {
    const port = chosen ?? (await ownPort());
    const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
    return { name, data: join(postgres.folder, name), port, connection };
  }

  async function primary(name: string): Promise<Cluster> {
    const cluster = await clusterAt(name);
    await postgres.run(
      'initdb',
      '-D',
      cluster.data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '-N',
    );
    await appendFile(join(cluster.data, 'postgresql.conf'), settings);
    await postgres.start(cluster.data, cluster.port);
    return cluster;
  }

  async function standbyOf(
    from: Cluster,
    name: string,
    synchronous: boolean,
    port?: number,
  ): Promise<Cluster> {
    const cluster = await clusterAt(name, port);
    const [label] = await query<{ readonly labelfile: string }>(
      from.connection,
      `select pg_backup_start('standby', true)`,
      () => postgres.copy(from.data, cluster.data),
      'select labelfile from pg_backup_stop()',
    );
    await postgres.remove(join(cluster.data, 'postmaster.pid'));
    await writeFile(join(cluster.data, 'backup_label'), label?.labelfile ?? '', { mode: 0o644 });
    await writeFile(join(cluster.data, 'standby.signal'), '');
    const conninfo = `host=127.0.0.1 port=${from.port} user=postgres application_name=${name}`;
    await appendFile(
      join(cluster.data, 'postgresql.auto.conf'),
      `primary_conninfo = '${conninfo}'\nsynchronous_standby_names = ''\n`,
    );
    await postgres.own(cluster.data);
    await postgres.start(cluster.data, cluster.port);
    await until(`${name} streams`, async () => {
      const rows = await query(
        from.connection,
        `select from pg_stat_replication where state = 'streaming'`,
      );
      return rows.length > 0;
    });
    if (synchronous) {
      await query(from.connection, `alter system set synchronous_standby_names = '${name}'`);
      await query(from.connection, 'select pg_reload_conf()');
    }
    return cluster;
  }

  return {
    postgres,
    primary,
    standbyOf,
    promote: async ({ data }) => postgres.run('pg_ctl', 'promote', '-D', data, '-w'),
    signal: async (cluster, signal) => {
      for (const pid of await processesOf(cluster)) {
        process.kill(pid, signal);
        if (signal === 'SIGSTOP') suspended.add(pid);
        else suspended.delete(pid);
      }
    },
    ask: (cluster, text) => query(cluster.connection, text),
    [Symbol.asyncDispose]: async () => {
      for (const pid of suspended) process.kill(pid, 'SIGCONT');
      await postgres[Symbol.asyncDispose]();
    },
  };
}
