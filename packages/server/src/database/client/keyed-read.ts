// Reads of one row by its key, which can be made for several keys at once.
import type { RowKey } from '#lib/id';
import { sql } from './sql.ts';
import type { Statement } from './sql.ts';

/** The row of the key with this position in the list, which begins at 1. */
export interface NthRow {
  readonly nth: number;
}

/** A read of at most one row by its key. `readById` and `readByHash` create it. */
export interface KeyedRead<K, R> {
  /** What tells a key apart from others. */
  nameOf(key: K): string;
  one(key: K): Statement<R>;
  /** Reads the rows of several different keys. It names several buckets, so a distributed database is not asked. */
  many(keys: readonly K[]): Statement<R & NthRow>;
}

/** A value, or the column with the values of several keys. */
export type KeyMember = number | string | Buffer | Statement;

/** Writes the statement for a key, which selects at most one row: it has no `limit`, so that the planner sees one join. */
type RowOf<R> = (bucket: KeyMember, key: KeyMember) => Statement<R>;

function rowOfEach<R>(list: Statement, count: number, row: RowOf<R>): Statement<R & NthRow> {
  const statement = sql<R & NthRow>`
    select found.*, named.nth::integer as nth
    from ${list} with ordinality as named (bucket, key, nth)
    cross join lateral (${row(sql`named.bucket`, sql`named.key`)}) as found`;
  return { ...statement, requests: count };
}

/** Returns the read of the row that `row` selects by `bucket` and `id`. */
export function readById<R>(row: RowOf<R>): KeyedRead<RowKey, R> {
  return {
    nameOf: ({ bucket, id }) => `${bucket} ${id}`,
    one: ({ bucket, id }) => row(bucket, id),
    many: (keys) =>
      rowOfEach(
        sql`unnest(${keys.map(({ bucket }) => bucket)}::smallint[], ${keys.map(({ id }) => id)}::text[])`,
        keys.length,
        row,
      ),
  };
}

/** The hash of a secret, and the bucket that the secret names. */
export interface HashKey {
  readonly bucket: number;
  readonly hash: Buffer;
}

/** Returns the read of the row that `row` selects by `bucket` and `hash`. */
export function readByHash<R>(row: RowOf<R>): KeyedRead<HashKey, R> {
  return {
    nameOf: ({ bucket, hash }) => `${bucket} ${hash.toString('latin1')}`,
    one: ({ bucket, hash }) => row(bucket, hash),
    many: (keys) =>
      rowOfEach(
        sql`unnest(${keys.map(({ bucket }) => bucket)}::smallint[], ${keys.map(({ hash }) => hash)}::bytea[])`,
        keys.length,
        row,
      ),
  };
}

/** Returns a function for the reads that differ in one value, of which there are few: requests with the same share statements. */
export function readsFor<V, K, R>(
  make: (value: V) => KeyedRead<K, R>,
): (value: V) => KeyedRead<K, R> {
  const made = new Map<V, KeyedRead<K, R>>();
  return (value) => {
    const read = made.get(value) ?? make(value);
    made.set(value, read);
    return read;
  };
}
