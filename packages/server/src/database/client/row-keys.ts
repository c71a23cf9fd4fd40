// Selects several articles in one statement.
import { sql } from './sql.ts';
import type { Statement } from './sql.ts';

/** The key of one article; every statement is routed to its bucket. */
export interface ArticleKey {
  readonly bucket: number;
  readonly id: string;
}

/** Returns articles as a table `named (bucket, id)`. */
export function named(keys: readonly ArticleKey[]): Statement {
  return sql`unnest(
      ${keys.map(({ bucket }) => bucket)}::smallint[], ${keys.map(({ id }) => id)}::text[]
    ) as named (bucket, id)`;
}

export function byId<R extends { readonly id: string }>(
  rows: readonly R[],
): ReadonlyMap<string, R> {
  return new Map(rows.map((row) => [row.id, row]));
}
