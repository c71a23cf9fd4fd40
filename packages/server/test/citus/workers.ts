// The other servers of the cluster on which test:citus runs.
import pg from 'pg';
import type { Statement } from '#database';

/** Names them in the environment of the test files. */
export const workersVariable = 'COLOPHON_TEST_WORKERS';

export interface ClusterServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
}

/** A server of the cluster, and whether it stores rows. */
export interface Node extends ClusterServer {
  readonly stores: boolean;
}

/** Returns how the owner connects to each worker; there is none where the coordinator is the only server. */
export function workersOf(env: NodeJS.ProcessEnv): readonly pg.ClientConfig[] {
  return JSON.parse(env[workersVariable] ?? '[]') as pg.ClientConfig[];
}

/**
 * Returns the nodes that the database of CITUS_URL knows, its coordinator first. Each database of a cluster has a
 * list of its own; a coordinator that knows none is the only server and stores all rows.
 */
export async function nodesOf(client: pg.Client, coordinator: ClusterServer): Promise<Node[]> {
  const { rows: known } = await client.query(
    `select 1 where to_regclass('pg_catalog.pg_dist_node') is not null`,
  );
  if (known.length === 0) return [{ ...coordinator, stores: true }];
  const { rows } = await client.query<{
    host: string;
    port: number;
    stores: boolean;
    first: boolean;
  }>(`
    select nodename as host, nodeport as port, shouldhaveshards as stores, groupid = 0 as first
    from pg_dist_node where isactive order by groupid`);
  const others = rows.filter(({ first }) => !first);
  const stores = others.length === 0 || rows.some((row) => row.first && row.stores);
  return [
    { ...coordinator, stores },
    ...others.map((row) => ({
      ...coordinator,
      host: row.host,
      port: row.port,
      stores: row.stores,
    })),
  ];
}

/** Runs `work` on a connection to each worker's part of a database, one after the other. */
async function onWorkers<T>(
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const worker of workersOf(process.env)) {
    const client = new pg.Client({ ...worker, database });
    await client.connect();
    try {
      results.push(await work(client));
    } finally {
      await client.end();
    }
  }
  return results;
}

/** Counts the rows of a statement on all workers; 0 where the run has none. */
export async function countOnWorkers(
  database: string,
  { text, values }: Pick<Statement, 'text' | 'values'>,
): Promise<number> {
  const counts = await onWorkers(
    database,
    async (client) => (await client.query(text, [...values])).rows.length,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
