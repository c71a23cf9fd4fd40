// Runs a statement with EXPLAIN and says what is wrong with its plan in a large database.
import type pg from 'pg';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Rows Removed by Filter'?: number;
  /** These are missing if the statement was not run. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Node[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Node }];
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Cost {
  /** Rows that it returns, or changes. */
  readonly rows: number;
  /** Blocks of 8 KiB that it reads. */
  readonly blocks: number;
  /** Rows that its largest sort sorts. */
  readonly sorted: number;
  /** The large tables that it reads from beginning to end. */
  readonly scanned: readonly string[];
}

const uniqueViolation = '23505';

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

const rowsOf = (node: Node) => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0);

/** A scan that ends after the first rows reads no table whole. */
function readsMany(scan: Node): boolean {
  if (scan['Actual Rows'] === undefined) return true;
  return rowsOf(scan) + (scan['Rows Removed by Filter'] ?? 0) * (scan['Actual Loops'] ?? 0) > 1_000;
}

/** Returns the names of the tables with at least this many rows. */
export async function largeTables(client: pg.Client, rows: number): Promise<ReadonlySet<string>> {
  const found = await client.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples >= $1`,
    [rows],
  );
  return new Set(found.rows.map(({ name }) => name));
}

/** Rows of a table that it adds, changes or deletes. */
function changedBy(nodes: readonly Node[]): number {
  const changes = nodes.filter((node) => node['Node Type'] === 'ModifyTable');
  return changes.flatMap(({ Plans = [] }) => Plans.map(rowsOf)).reduce((sum, one) => sum + one, 0);
}

function costOf(plan: Node, large: ReadonlySet<string>): Cost {
  const nodes = nodesOf(plan);
  const sorts = nodes.filter((node) => /^(?:Incremental )?Sort$/.test(node['Node Type']));
  const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
  return {
    rows: Math.max(rowsOf(plan), changedBy(nodes)),
    blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    sorted: Math.max(0, ...sorts.flatMap(({ Plans = [] }) => Plans.map(rowsOf))),
    scanned: scans
      .filter(readsMany)
      .map((node) => node['Relation Name'] ?? '')
      .filter((name) => large.has(name)),
  };
}

async function explain(client: pg.Client, { text, values }: Statement, options: string) {
  await client.query('begin');
  try {
    const query = { text: `explain (${options}, format json) ${text}`, values: [...values] };
    const { rows } = await client.query<Explained>(query);
    return rows[0]?.['QUERY PLAN'][0].Plan as Node;
  } finally {
    await client.query('rollback');
  }
}

/**
 * Runs the statement in a transaction that is rolled back. One that adds a row which is there by now is only
 * planned: its blocks and rows are 0.
 */
export async function measure(
  client: pg.Client,
  statement: Statement,
  large: ReadonlySet<string>,
): Promise<Cost> {
  try {
    return costOf(await explain(client, statement, 'analyze, buffers, timing off'), large);
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    return costOf(await explain(client, statement, 'costs off'), large);
  }
}
