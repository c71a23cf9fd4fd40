// What code may do with the database: read through a Db, write through a Tx only.
import type { Statement } from './sql.ts';

declare const writing: unique symbol;

/** Reads. Every statement may travel on another connection and see newer rows than the one before. */
export interface Db {
  rows<R>(statement: Statement<R>): Promise<readonly R[]>;
  first<R>(statement: Statement<R>): Promise<R | undefined>;
}

/**
 * One transaction on one connection. Statements are sent at once and answered in order, so those whose
 * results nobody awaits share a round trip with the commit; a failed one makes the commit fail.
 */
export interface Tx extends Db {
  readonly [writing]: true;
  /** Runs a statement and answers how many rows it touched. */
  run(statement: Statement): Promise<number>;
}
