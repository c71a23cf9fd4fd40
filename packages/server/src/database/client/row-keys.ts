// Selects several articles in one statement.
import type { RowKey } from '#lib/id';
import { sql } from './sql.ts';
import type { Statement } from './sql.ts';

/** Returns articles as a table `named (bucket, id)`. */
export function named(keys: readonly RowKey[]): Statement {
  return sql`unnest(
      ${keys.map(({ bucket }) => bucket)}::smallint[], ${keys.map(({ id }) => id)}::text[]
    ) as named (bucket, id)`;
}

export function byId<R extends { readonly id: string }>(
  rows: readonly R[],
): ReadonlyMap<string, R> {
  return new Map(rows.map((row) => [row.id, row]));
}
