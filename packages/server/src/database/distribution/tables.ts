// Which tables are distributed over the servers of a Citus cluster, and how a new one is.
import type pg from 'pg';
import { sql } from '../client/sql.ts';
import type { Statement } from '../client/sql.ts';

/** Tables that stay on the coordinator, where processes read them at their start. All others have a bucket. */
export const localTables: readonly string[] = ['migrations'];

/** The table whose group all others join: rows of one bucket are then on one server. */
export const firstTable = 'principals';

/** Sends one statement and returns its rows. */
export async function ask<R>(client: pg.Client, statement: Statement<R>): Promise<R[]> {
  const { rows } = await client.query({ text: statement.text, values: [...statement.values] });
  return rows as R[];
}

/** Returns whether the database is distributed, wholly or partly. */
export async function isDistributed(client: pg.Client): Promise<boolean> {
  const [found] = await ask(
    client,
    sql<{
      known: boolean;
    }>`select to_regclass('pg_catalog.pg_dist_partition') is not null as known`,
  );
  if (found?.known !== true) return false;
  const [row] = await ask(
    client,
    sql<{ distributed: boolean }>`
      select exists (
        select 1
        from pg_dist_partition d
        join pg_class c on c.oid = d.logicalrelid
        where c.relnamespace = 'public'::regnamespace
      ) as distributed`,
  );
  return row?.distributed === true;
}

export interface TableState {
  readonly name: string;
  readonly bucketed: boolean;
  /** The distribution column; null: the table is not distributed. */
  readonly distributed_by: string | null;
  /** The group of tables whose rows are stored together. */
  readonly group: number | null;
}

/** Returns the tables of the service but the local ones, the one that makes the group first. */
export function listTables(client: pg.Client): Promise<TableState[]> {
  return ask(
    client,
    sql<TableState>`
      select c.relname as name,
        exists (
          select 1
          from pg_attribute a
          where a.attrelid = c.oid and a.attname = 'bucket' and not a.attisdropped
        ) as bucketed,
        case when d.partmethod = 'h' then column_to_column_name(d.logicalrelid, d.partkey) end
          as distributed_by,
        d.colocationid::integer as "group"
      from pg_class c
      left join pg_dist_partition d on d.logicalrelid = c.oid
      where c.relnamespace = 'public'::regnamespace
        and c.relkind = 'r'
        and not c.relispartition
        and c.relname <> all(${localTables})
        and not relation_is_a_known_shard(c.oid)
        and not exists (
          select 1 from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e'
        )
      order by c.relname <> ${firstTable}, c.relname`,
  );
}

/** Distributes one table of a distributed database, as its group is. */
export function distributionOf(table: string): string {
  return `select create_distributed_table('public.${table}', 'bucket', colocate_with => 'public.${firstTable}')`;
}

/** Cut at semicolons outside of strings, dollar quotes and comments. */
function statementsOf(text: string): string[] {
  const pieces = text.match(/(?:--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g) ?? [];
  return pieces.filter((piece) => piece.replaceAll(/--[^\n]*/g, '').trim() !== '');
}

/**
 * Returns the statements of a migration for a distributed database: each new table is distributed directly
 * after it was created, so that the statements behind it may refer to other tables.
 */
export function withDistribution(text: string): string[] {
  return statementsOf(text).flatMap((statement) => {
    const made = /^\s*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)\s*\(/i.exec(
      statement.replaceAll(/--[^\n]*/g, ''),
    )?.[1];
    return made === undefined || localTables.includes(made)
      ? [statement]
      : [statement, distributionOf(made)];
  });
}
