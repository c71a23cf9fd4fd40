// Lets a test read tables of a distributed database together in ways that a coordinator refuses.
import type pg from 'pg';

async function distributedTables(client: pg.Client): Promise<readonly string[]> {
  const { rows: known } = await client.query(
    `select 1 where to_regclass('pg_catalog.pg_dist_partition') is not null`,
  );
  if (known.length === 0) return [];
  const { rows } = await client.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition',
  );
  return rows.map(({ name }) => name);
}

/**
 * Runs `work`, which only reads. In a distributed database, the tables that its statements name are then
 * temporary copies on the coordinator, so that statements may join them in any way.
 */
export async function withLocalCopies<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const tables = await distributedTables(client);
  if (tables.length === 0) return work();
  await client.query('begin');
  try {
    for (const name of tables)
      await client.query(`create temp table ${name} on commit drop as table public.${name}`);
    return await work();
  } finally {
    await client.query('rollback');
  }
}
