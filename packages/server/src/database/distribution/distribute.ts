// Distributes the tables of a migrated database over a Citus cluster. Each step commits, and a second run goes on.
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Connection } from '../client/new-client.ts';
import { sql } from '../client/sql.ts';
import { migrationLock, pendingMigrations, withConnection } from '../migrate.ts';
import { schemaPath } from '../schema-dump.ts';
import { ask, distributionOf, firstTable, listTables } from './tables.ts';
import type { TableState } from './tables.ts';

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly referenced: string;
  /** The statement that adds it. */
  readonly added: string;
}

export interface Distribution {
  readonly tables: number;
  /** Of these, the tables that this run distributed. */
  readonly distributed: number;
  readonly foreignKeys: number;
  /** Into how many shards each table is divided. */
  readonly shards: number;
}

/** The oldest version whose planner accepts every statement of the service. */
const versionMin = 13;

async function foreignKeys(): Promise<ForeignKey[]> {
  const schema = await readFile(schemaPath, 'utf8');
  const lines = schema.matchAll(
    /^(alter table (\w+) add constraint (\w+) FOREIGN KEY [^;]* REFERENCES (\w+)\([^;]*;)$/gm,
  );
  return Array.from(lines, ([, added = '', table = '', name = '', referenced = '']) => ({
    table,
    name,
    referenced,
    added,
  }));
}

async function requireCoordinator(client: pg.Client): Promise<void> {
  const [extension] = await ask(
    client,
    sql<{
      version: string;
    }>`select extversion as version from pg_extension where extname = 'citus'`,
  );
  if (extension === undefined)
    throw new Error(
      'The database has no extension citus: install Citus on every server, add citus to shared_preload_libraries, and run "create extension citus" in this database.',
    );
  if (Number.parseInt(extension.version, 10) < versionMin)
    throw new Error(
      `The extension citus is ${extension.version}: update it to ${versionMin} or later.`,
    );
  const [place] = await ask(
    client,
    sql<{ coordinator: boolean; nodes: boolean; room: boolean }>`
      select citus_is_coordinator() as coordinator,
        exists (select 1 from pg_dist_node) as nodes,
        exists (select 1 from pg_dist_node where shouldhaveshards and isactive) as room`,
  );
  if (place?.coordinator !== true && place?.nodes === true)
    throw new Error('This server is a worker of the cluster: set DATABASE_URL to the coordinator.');
  if (place?.nodes === true && !place.room)
    throw new Error(
      'No server of the cluster stores shards: add one with "select citus_add_node(host, port)".',
    );
}

async function requireMigrated(connection: Connection): Promise<void> {
  const pending = await pendingMigrations(connection);
  if (pending.length === 0) return;
  throw new Error(
    `The database lacks migrations of this version (the first is ${pending[0]}): start the server of this version once, stop it, and run the command again.`,
  );
}

/** A server that starts now waits for the lock of migrations, which this connection has. */
async function requireAlone(client: pg.Client): Promise<void> {
  const [lock] = await ask(client, migrationLock);
  if (lock?.taken !== true)
    throw new Error(
      'Another process migrates or distributes the database: wait until it has ended.',
    );
  const [others] = await ask(
    client,
    sql<{ count: number }>`
      select count(*)::integer as count
      from pg_stat_activity
      where datname = current_database()
        and application_name ~ '^colophon'
        and application_name not in ('colophon-migrate', 'colophon-start', 'colophon-probe')
        and pid <> pg_backend_pid()`,
  );
  if ((others?.count ?? 0) > 0)
    throw new Error(
      `Connections of the service are open (${others?.count}), of this or an older version: stop every server and worker first.`,
    );
}

function requireSuitable(tables: readonly TableState[]): void {
  const odd = tables.find(({ bucketed }) => !bucketed);
  if (odd !== undefined)
    throw new Error(`The table ${odd.name} has no column bucket: move it to another schema.`);
  const other = tables.find(({ distributed_by: by }) => by !== null && by !== 'bucket');
  if (other !== undefined)
    throw new Error(
      `The table ${other.name} is already distributed by ${other.distributed_by}: run "select undistribute_table('${other.name}')" first.`,
    );
  const groups = new Set(tables.flatMap(({ group }) => group ?? []));
  if (groups.size > 1)
    throw new Error('The tables are already distributed, but in several colocation groups.');
}

async function existingKeys(client: pg.Client): Promise<Set<string>> {
  const rows = await ask(
    client,
    sql<{ name: string }>`
      select k.conname as name
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid
      where k.contype = 'f'
        and c.relnamespace = 'public'::regnamespace
        and not relation_is_a_known_shard(c.oid)`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** A foreign key between a distributed table and another one is not possible, so they are added again later. */
async function dropKeys(
  client: pg.Client,
  keys: readonly ForeignKey[],
  left: ReadonlySet<string>,
): Promise<void> {
  const existing = await existingKeys(client);
  const inTheWay = keys.filter(
    ({ table, name, referenced }) =>
      existing.has(name) && (left.has(table) || left.has(referenced)),
  );
  await inTransaction(client, async () => {
    for (const { table, name } of inTheWay)
      await client.query(`alter table public.${table} drop constraint ${name}`);
  });
}

async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from public.${table}`);
  return Number(rows[0]?.count);
}

/** @throws Error if the shards would contain other rows than the table did; then nothing has changed */
async function distributeTable(client: pg.Client, table: string, shards: number): Promise<void> {
  const statement =
    table === firstTable
      ? `select create_distributed_table('public.${table}', 'bucket', colocate_with => 'none', shard_count => ${shards})`
      : distributionOf(table);
  await inTransaction(client, async () => {
    const before = await countRows(client, table);
    await client.query(statement);
    const after = await countRows(client, table);
    if (before !== after)
      throw new Error(
        `The table ${table} has ${before} rows, but its shards ${after}: nothing was changed.`,
      );
  });
}

/** The rows that were copied into the shards still take the space of the table until then. */
async function freeCopied(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ size: string }>(
    `select pg_relation_size('public.${table}') as size`,
  );
  if (Number(rows[0]?.size) > 0)
    await client.query(`select truncate_local_data_after_distributing_table('public.${table}')`);
}

async function addKeys(client: pg.Client, keys: readonly ForeignKey[]): Promise<void> {
  const existing = await existingKeys(client);
  for (const { table, name, added } of keys) {
    if (existing.has(name)) continue;
    await client.query(added).catch((error: Error) => {
      throw new Error(
        `The foreign key ${name} of ${table} cannot be added again: ${error.message}. Correct the rows and run the command again.`,
        { cause: error },
      );
    });
  }
}

async function requireComplete(client: pg.Client, keys: readonly ForeignKey[]): Promise<number> {
  const tables = await listTables(client);
  requireSuitable(tables);
  const left = tables.filter(({ distributed_by: by }) => by === null).map(({ name }) => name);
  const existing = await existingKeys(client);
  const missing = keys.filter(({ name }) => !existing.has(name)).map(({ name }) => name);
  if (left.length + missing.length > 0)
    throw new Error(`Not everything was distributed: ${[...left, ...missing].join(', ')}.`);
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_dist_shard where logicalrelid = 'public.${firstTable}'::regclass`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Distributes every table by `bucket`, in one colocation group of `shards` shards. The foreign keys are dropped
 * before and added again after it. After a crash at any step, another call completes it; a database that is
 * wholly distributed is only checked.
 *
 * @param done is called with the name of each table that was distributed
 * @throws Error with a sentence for the operator where the database cannot be distributed
 */
export async function distribute(
  connection: Connection,
  shards: number,
  done: (table: string) => void,
): Promise<Distribution> {
  return withConnection(connection, async (client) => {
    await requireCoordinator(client);
    await requireMigrated(connection);
    await requireAlone(client);
    const keys = await foreignKeys();
    const tables = await listTables(client);
    requireSuitable(tables);
    const left = tables.filter(({ distributed_by: by }) => by === null).map(({ name }) => name);
    await dropKeys(client, keys, new Set(left));
    for (const table of left) {
      await distributeTable(client, table, shards);
      done(table);
    }
    for (const { name } of tables) await freeCopied(client, name);
    await addKeys(client, keys);
    return {
      tables: tables.length,
      distributed: left.length,
      foreignKeys: keys.length,
      shards: await requireComplete(client, keys),
    };
  });
}
