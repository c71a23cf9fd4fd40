// Copies all rows of a small world many times, with ids of their own, so that a database has a million articles.
import type pg from 'pg';

/** Tables with one row, rows of the current state, or work that waits. */
const single = [
  'audit_heads',
  'backup_standing',
  'closings',
  'derived_versions',
  'exports',
  'export_parts',
  'log_articles',
  'log_heads',
  'log_keys',
  'log_leaves',
  'log_tiles',
  'log_witnessed',
  'log_witnesses',
  'outbox',
  'pending_erasures',
  'reindex_progress',
  'search_configurations',
  'search_horizons',
  'search_shares',
  'search_term_frequencies',
  'sitemap_files',
];

/** Tables of which an account has a few rows at most: the busy one does not have those of the copies too. */
const fewForEach = new Set(['key_nonces', 'passkeys', 'recovery_codes', 'sessions', 'web_links']);

const idPattern = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
/** A copy of a number that is unique begins beyond those that the service gives. */
const numberStep = 10_000;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly unique: boolean;
  /** Whether all values of a text are ids, are hashes, or contain an id. */
  readonly holds?: 'id' | 'hash' | 'ids' | undefined;
}

const columnsOfTables = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
    exists (
      select from pg_index i
      where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey::smallint[])
    ) as unique
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attgenerated = ''
    and c.relname <> all($1::text[])
  order by c.relname, a.attnum`;

async function contentOf(client: pg.Client, { table, name, type }: Column) {
  if (type !== 'text') return undefined;
  const { rows } = await client.query<Record<'id' | 'hash' | 'ids', boolean | null>>(`
    select bool_and("${name}" ~ '^${idPattern}$') as id,
      bool_and("${name}" ~ '^sha256:[0-9a-f]{64}$') as hash, bool_or("${name}" ~ '${idPattern}') as ids
    from "${table}"
    where "${name}" <> ''`);
  const [found] = rows;
  return (['id', 'hash', 'ids'] as const).find((kind) => found?.[kind] === true);
}

/** Digits 11 to 15 of an id are chance; the time before them and the bucket behind them stay. */
function copyOfText({ name, holds }: Column): string {
  const own = `"${name}"`;
  if (holds === 'id') {
    return `case when ${own} = '' or (k % 2 = 1 and ${own} = any($1)) then ${own}
      else substr(${own}, 1, 10) || lpad(k::text, 5, '0') || substr(${own}, 16) end`;
  }
  if (holds === 'hash') return `left(${own}, 64) || lpad(to_hex(k), 7, '0')`;
  return `regexp_replace(${own}, '([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{5}([0-9A-HJKMNP-TV-Z]{11})',
    '\\1' || lpad(k::text, 5, '0') || '\\2', 'g')`;
}

/** Copies of a value that may be there once only, where no id beside it tells them apart. */
function copyOfUnique(own: string, type: string, needsName: boolean): string {
  if (type === 'bytea')
    return `overlay(${own} placing decode(lpad(to_hex(k), 8, '0'), 'hex') from 1 for 4)`;
  if (type === 'bigint' || type === 'integer') return `${own} + k::bigint * ${numberStep}`;
  return needsName && type === 'text' ? `${own} || '-' || k` : own;
}

/** Returns the expression of a column of copy `k`. */
function copyOf(column: Column, needsName: boolean): string {
  const { name, type, unique, holds } = column;
  const own = `"${name}"`;
  if (holds !== undefined) return copyOfText(column);
  if (type.startsWith('timestamp')) return `${own} - k * interval '10 seconds'`;
  return unique && name !== 'bucket' ? copyOfUnique(own, type, needsName) : own;
}

function statementOf(table: string, columns: readonly Column[], copies: number): string {
  const unique = columns.filter((column) => column.unique && column.name !== 'bucket');
  const needsName = unique.every(({ holds, type }) => holds === undefined && type === 'text');
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map((column) => copyOf(column, needsName)).join(', ');
  return `insert into "${table}" (${names}) overriding system value
    select ${values} from "${table}", generate_series(1, ${copies}) as k
    where cardinality($1::text[]) >= 0
    on conflict do nothing`;
}

/** Building an index at the end takes a fraction of the time that adding each row to it takes. */
async function withoutIndexes(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace and not i.indisunique`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await client.query(definition);
}

/**
 * Multiplies the rows of a database until it has `articles` articles. In every second copy the objects named by
 * `busy` stay the same: half of all comments are then on one article, half of all events are for one account.
 * @returns the number of rows of each table
 */
export async function multiply(
  client: pg.Client,
  { articles, busy }: { readonly articles: number; readonly busy: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  await client.query(`set session_replication_role = replica`);
  await client.query(`set synchronous_commit = off`);
  const { rows: columns } = await client.query<Column>(columnsOfTables, [single]);
  const { rows } = await client.query<{ count: number }>('select count(*)::integer from articles');
  const copies = Math.ceil(articles / (rows[0]?.count ?? 1));
  const counts = new Map<string, number>();
  await withoutIndexes(client, async () => {
    for (const [table, found] of Map.groupBy(columns, (column) => column.table)) {
      const known: Column[] = [];
      for (const column of found) known.push({ ...column, holds: await contentOf(client, column) });
      const same = fewForEach.has(table) ? [] : busy;
      const { rowCount } = await client.query(statementOf(table, known, copies), [same]);
      counts.set(table, rowCount ?? 0);
    }
  });
  await client.query('vacuum analyze');
  return counts;
}
