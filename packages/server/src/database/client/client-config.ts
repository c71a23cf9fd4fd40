// Settings of a connection, and how a statement is sent on it.
import type pg from 'pg';
import { corkedSocket } from './corked-socket.ts';
import type { Statement } from './sql.ts';
import { types } from './types.ts';

/** The location of the database: an address, or the parts of one. */
export type Connection = pg.ClientConfig;

const timeouts = (read: boolean) =>
  [
    '-c timezone=UTC',
    '-c datestyle=ISO',
    '-c extra_float_digits=3',
    '-c default_transaction_isolation=read\\ committed',
    `-c statement_timeout=${read ? 5_000 : 10_000}`,
    '-c lock_timeout=5000',
    '-c idle_in_transaction_session_timeout=10000',
    // Pages are small: starting workers and compiling plans would take longer than the queries.
    '-c max_parallel_workers_per_gather=0',
    '-c jit=off',
    ...(read ? ['-c default_transaction_read_only=on'] : []),
  ].join(' ');

/** Returns the settings of a connection for reads, or for transactions. */
export function clientConfig(
  connection: Connection,
  read: boolean,
): pg.ClientConfig & { pipeline: boolean } {
  return {
    application_name: 'colophon',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...connection,
    options: timeouts(read),
    types,
    pipeline: true,
    stream: corkedSocket,
  };
}

export type Result = pg.QueryResult<Record<string, unknown>>;

export function send(client: pg.ClientBase, statement: Statement): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(
      { name: statement.name, text: statement.text, values: statement.values as unknown[] },
      (error: Error | null, result: Result) => (error ? reject(error) : resolve(result)),
    );
  });
}
