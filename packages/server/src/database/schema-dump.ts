// Dumps the schema `public` as SQL, from the catalogs; the same schema always gives the same text.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrationsTable } from './migrate.ts';
import { sql } from './client/sql.ts';
import type { Statement } from './client/sql.ts';

/** Path of the committed dump. */
export const schemaPath = join(import.meta.dirname, 'schema.sql');

const header =
  '-- The schema after every migration, written by a tool: change a migration, never this file.\n';

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly required: boolean;
  readonly expression: string | null;
  readonly generated: string;
}

interface Definition {
  readonly text: string;
}

const columns = sql<ColumnRow>`
  select quote_ident(c.relname) as "table",
    quote_ident(a.attname) as name,
    format_type(a.atttypid, a.atttypmod) as type,
    case when a.attcollation <> t.typcollation then quote_ident(co.collname) end as collation,
    a.attnotnull as required,
    pg_get_expr(d.adbin, d.adrelid) as expression,
    a.attgenerated as generated
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_collation co on co.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace
    and c.relkind = 'r'
    and c.relname <> ${migrationsTable}
  order by c.relname collate "C", a.attnum`;

const options = sql<Definition>`
  select format('alter table %I set (%s);', c.relname, array_to_string(c.reloptions, ', ')) as text
  from pg_class c
  where c.relnamespace = 'public'::regnamespace
    and c.relkind = 'r'
    and c.reloptions is not null
    and c.relname <> ${migrationsTable}
  order by c.relname collate "C"`;

// PostgreSQL 18 lists `not null` as constraints (contype n), 15 to 17 do not: the columns include it.
const constraints = sql<Definition>`
  select format('alter table %I add constraint %I %s;', c.relname, k.conname, pg_get_constraintdef(k.oid)) as text
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = 'public'::regnamespace
    and k.contype <> 'n'
    and c.relname <> ${migrationsTable}
  order by k.contype = 'f', c.relname collate "C", k.conname collate "C"`;

const indexes = sql<Definition>`
  select pg_get_indexdef(i.indexrelid) || ';' as text
  from pg_index i
  join pg_class c on c.oid = i.indrelid
  join pg_class n on n.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace
    and c.relname <> ${migrationsTable}
    and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by c.relname collate "C", n.relname collate "C"`;

const extensions = sql<Definition>`
  select format('create extension %I;', extname) as text
  from pg_extension
  where extname <> 'plpgsql'
  order by extname collate "C"`;

/** Objects in the schema that this dump does not support; reported, so that none is omitted silently. */
const unknownObjects = sql<Definition>`
  with found as (
    select 'pg_class'::regclass as catalog, c.oid, format('%s of kind %s', c.relname, c.relkind) as text
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind not in ('r', 'i', 't')
      and c.relname <> ${migrationsTable} || '_id_seq'
    union all
    select 'pg_proc'::regclass, p.oid, format('function %s', p.proname)
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
    union all
    select 'pg_trigger'::regclass, g.oid, format('trigger %s', g.tgname)
    from pg_trigger g
    join pg_class c on c.oid = g.tgrelid
    where c.relnamespace = 'public'::regnamespace
      and not g.tgisinternal
    union all
    select 'pg_type'::regclass, t.oid, format('type %s', t.typname)
    from pg_type t
    where t.typnamespace = 'public'::regnamespace
      and t.typtype in ('e', 'd', 'r')
    union all
    select 'pg_attribute'::regclass, c.oid, format('identity column %s.%s', c.relname, a.attname)
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace
      and a.attidentity <> ''
  )
  select f.text
  from found f
  where not exists (
    select 1 from pg_depend d where d.classid = f.catalog and d.objid = f.oid and d.deptype = 'e'
  )
  order by f.text collate "C"`;

function columnLine(row: ColumnRow): string {
  const parts = [`  ${row.name} ${row.type}`];
  if (row.collation !== null) parts.push(`collate ${row.collation}`);
  if (row.generated !== '')
    parts.push(
      `generated always as (${row.expression}) ${row.generated === 's' ? 'stored' : 'virtual'}`,
    );
  else if (row.expression !== null) parts.push(`default ${row.expression}`);
  if (row.required) parts.push('not null');
  return parts.join(' ');
}

function tables(rows: readonly ColumnRow[]): string[] {
  const byTable = Map.groupBy(rows, (row) => row.table);
  return [...byTable].map(
    ([table, own]) => `create table ${table} (\n${own.map(columnLine).join(',\n')}\n);`,
  );
}

async function queryRows<R>(client: pg.Client, statement: Statement<R>): Promise<R[]> {
  const { rows } = await client.query({ text: statement.text, values: [...statement.values] });
  return rows as R[];
}

/**
 * Returns the schema `public` as SQL that creates it: extensions, tables, constraints (foreign keys last) and
 * indexes, sorted by name; without the runner's own table. The text is the same on PostgreSQL 15 to 18.
 * @throws Error if the schema contains an object that this dump does not support
 */
export async function dumpSchema(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client({ ...connection, options: '-c search_path=public -c timezone=UTC' });
  // A connection lost between two statements is reported by the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const unknown = await queryRows(client, unknownObjects);
    if (unknown.length > 0) {
      throw new Error(
        `Teach schema-dump.ts to write: ${unknown.map((row) => row.text).join(', ')}.`,
      );
    }
    const texts = async (statement: Statement<Definition>) =>
      (await queryRows(client, statement)).map((row) => row.text).join('\n');
    const sections = [
      await texts(extensions),
      ...tables(await queryRows(client, columns)),
      await texts(options),
      await texts(constraints),
      await texts(indexes),
    ];
    return `${[header.trimEnd(), ...sections.filter((section) => section !== '')].join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}

/** Replaces the committed dump with that of the database at `connection`. */
export async function writeSchema(
  connection: pg.ClientConfig,
  path: string = schemaPath,
): Promise<void> {
  await writeFile(path, await dumpSchema(connection));
}
