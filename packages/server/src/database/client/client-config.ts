// Settings of a connection, and how a statement is sent on it.
import type pg from 'pg';
import { corkedSocket } from './corked-socket.ts';
import type { ClientOptions, Settings } from './new-client.ts';
import { PreparedQuery } from './prepared-query.ts';
import type { Statement } from './sql.ts';
import { types } from './types.ts';

function settingsFor(read: boolean, patience: number): Settings {
  return {
    timezone: 'UTC',
    datestyle: 'ISO',
    extra_float_digits: 3,
    default_transaction_isolation: 'read committed',
    // Also for transactions, which begin with `read write`: where that fails, the statements sent after it change nothing.
    default_transaction_read_only: 'on',
    statement_timeout: (read ? 5_000 : 10_000) * patience,
    lock_timeout: 5_000 * patience,
    idle_in_transaction_session_timeout: 10_000 * patience,
    // Pages are small: starting workers and compiling plans would take longer than the queries.
    max_parallel_workers_per_gather: 0,
    jit: 'off',
  };
}

/**
 * Returns the options of a connection for reads, or for transactions. `patience` multiplies the time limits of
 * statements, locks and idle transactions.
 */
export function clientOptions(read: boolean, patience = 1): ClientOptions {
  return {
    application_name: 'colophon',
    settings: settingsFor(read, patience),
    types,
    pipeline: true,
    stream: corkedSocket,
  };
}

export type Result = pg.QueryResult<Record<string, unknown>>;

export function send(client: pg.ClientBase, statement: Statement): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(
      new PreparedQuery(statement, (error, result) => (error ? reject(error) : resolve(result))),
    );
  });
}
