// Types of database access: reads through a Db, writes through a Tx only.
import type { KeyedRead } from './keyed-read.ts';
import type { Statement } from './sql.ts';

declare const writing: unique symbol;

/** Read access. Each statement may use another connection and see newer rows than the previous one. */
export interface Db {
  rows<R>(statement: Statement<R>): Promise<readonly R[]>;
  first<R>(statement: Statement<R>): Promise<R | undefined>;
  /** Reads one row by its key. Outside a transaction, requests that read the same at the same time share statements. */
  find<K, R>(read: KeyedRead<K, R>, key: K): Promise<R | undefined>;
}

/**
 * One transaction on one connection. Statements are sent at once and results arrive in order, so statements
 * that are not awaited share a round trip with the commit; a failed one makes the commit fail.
 */
export interface Tx extends Db {
  readonly [writing]: true;
  /** Runs a statement and returns the number of rows affected. */
  run(statement: Statement): Promise<number>;
  /**
   * Returns the trace context that a message of this type takes to its subscribers; undefined, or not there, if
   * nothing is traced.
   */
  readonly traceparentOf?: (type: string) => string | undefined;
}
