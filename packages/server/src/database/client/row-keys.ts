// Selects several rows by their keys in one statement.
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { sql } from './sql.ts';
import type { Statement } from './sql.ts';

/** Returns these keys as a table `named (bucket, id)`. */
export function keysTable(keys: readonly RowKey[]): Statement {
  return sql`unnest(
      ${keys.map(({ bucket }) => bucket)}::smallint[], ${keys.map(({ id }) => id)}::text[]
    ) as named (bucket, id)`;
}

/** Returns the rows with these ids as a table `named (bucket, id)`. */
export function namedIds(ids: readonly string[]): Statement {
  return keysTable(ids.map(keyOf));
}

export function byId<R extends { readonly id: string }>(
  rows: readonly R[],
): ReadonlyMap<string, R> {
  return new Map(rows.map((row) => [row.id, row]));
}
