// Reads tables as they were at one moment, in the text format of COPY, with any PostgreSQL.
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Statement } from '../client/sql.ts';
import type { Connection } from '../client/new-client.ts';
import { sql } from '../client/sql.ts';
import { isDistributed } from '../distribution/tables.ts';
import { migrationsTable } from '../migrate.ts';
import { openCopySession } from './session.ts';

/** A table and the columns that are copied: those that are not generated. */
export interface TableCopy {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface Snapshot extends AsyncDisposable {
  readonly takenAt: string;
  /** Version of PostgreSQL, such as 18.4. */
  readonly engine: string;
  /** Names of the applied migrations, in their order. */
  readonly migrations: readonly string[];
  readonly tables: readonly TableCopy[];
  /** Number of rows of the tables, as the planner estimates it. */
  readonly rowsExpected: number;
  /** Returns the rows of a table, each ended by a line feed. */
  copyTable(table: TableCopy): AsyncIterable<Buffer>;
  /** Returns the rows of a query without parameters in the same format. */
  copyQuery(query: Statement): AsyncIterable<Buffer>;
  /** @throws Error if a table was rewritten since the snapshot was taken, so that its rows may be missing */
  requireUnchanged(): Promise<void>;
  first<R>(query: Statement<R>): Promise<R | undefined>;
}

interface TableRow extends TableCopy {
  readonly estimate: number;
}

const tablesOf = (leftOut: readonly string[]) => sql<TableRow>`
  select c.relname as name,
    array_agg(a.attname::text order by a.attnum) as columns,
    greatest(c.reltuples, 0)::float8 as estimate
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p')
    and not c.relispartition
    and a.attgenerated = ''
    and c.relname <> ${migrationsTable}
    and not c.relname = any(${leftOut})
  group by c.oid
  order by c.relname collate "C"`;

const moment = sql<{ taken_at: string; engine: string }>`
  select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at,
    split_part(current_setting('server_version'), ' ', 1) as engine`;

const applied = sql<{ name: string }>`select name from public.migrations order by id`;

/** Returns the name as an identifier in SQL, as `quote_ident` does. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Identifies the files of all tables, as they are now. A statement that rewrites or truncates a table gives it a
 * new file, and a snapshot that is older sees that table as empty.
 */
const tableFiles = sql<{ files: string }>`
  select coalesce(string_agg(concat(c.oid, ':', pg_relation_filenode(c.oid)), ' ' order by c.oid), '') as files
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`;

export function columnList({ name, columns }: TableCopy): string {
  return `public.${quoteName(name)} (${columns.map(quoteName).join(', ')})`;
}

/** A partitioned table is copied by a query, because COPY reads only tables with rows of their own. */
function copyText(table: TableCopy): string {
  const columns = table.columns.map(quoteName).join(', ');
  return `copy (select ${columns} from public.${quoteName(table.name)}) to stdout`;
}

async function* rowsOf(client: pg.Client, text: string): AsyncGenerator<Buffer> {
  const stream = client.query(copyTo(text, { highWaterMark: 1024 * 1024 }));
  for await (const chunk of stream) yield chunk as Buffer;
}

/**
 * Opens a snapshot of the database at `connection`, without the tables in `leftOut`. It sees every transaction
 * that was committed before, and blocks no write.
 * @throws Error if the database has no schema of this service, or if its tables are distributed
 */
export async function openSnapshot(
  connection: Connection,
  leftOut: readonly string[],
): Promise<Snapshot> {
  const session = await openCopySession(connection, 'backup');
  try {
    const { client, ask } = session;
    if (await isDistributed(client))
      throw new Error(
        'The tables are distributed over several servers, which have no moment in common: back up each server with base backups and its log, as docs/scaling.md says.',
      );
    const [before] = await ask(tableFiles);
    await ask(sql`begin isolation level repeatable read read only`);
    const [known] = await ask(moment);
    const migrations = (await ask(applied)).map(({ name }) => name);
    const tables = await ask(tablesOf(leftOut));
    return {
      takenAt: known?.taken_at ?? '',
      engine: known?.engine ?? '',
      migrations,
      tables: tables.map(({ name, columns }) => ({ name, columns })),
      rowsExpected: Math.round(tables.reduce((sum, { estimate }) => sum + estimate, 0)),
      copyTable: (table) => rowsOf(client, copyText(table)),
      copyQuery: ({ text }) => rowsOf(client, `copy (${text}) to stdout`),
      requireUnchanged: async () => {
        const [after] = await ask(tableFiles);
        if (after?.files === before?.files) return;
        throw new Error(
          'A migration changed tables while they were copied. Make the backup again.',
        );
      },
      first: async (query) => (await ask(query))[0],
      [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
    };
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}
