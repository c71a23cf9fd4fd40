// A connection of its own for a backup, a restore or a lock: without the time limits of requests.
import type pg from 'pg';
import { newClient } from '../client/new-client.ts';
import type { Connection } from '../client/new-client.ts';
import type { Statement } from '../client/sql.ts';

export type Ask = <R>(statement: Statement<R>) => Promise<R[]>;

export interface CopySession extends AsyncDisposable {
  readonly client: pg.Client;
  readonly ask: Ask;
}

// A copy of a large table, or an index on it, takes longer than any request.
const settings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  extra_float_digits: 3,
  client_encoding: 'UTF8',
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  search_path: 'public',
};

/** Opens the connection. Its end rolls back a transaction that is open. */
export async function openCopySession(
  connection: Connection,
  name: 'backup' | 'restore' | 'rotation',
): Promise<CopySession> {
  const client = newClient(connection, {
    application_name: `colophon-${name}`,
    connectionTimeoutMillis: 10_000,
    settings,
  });
  // A connection lost between two statements is reported by the next one.
  client.on('error', () => undefined);
  await client.connect();
  return {
    client,
    ask: async <R>({ text, values }: Statement<R>) =>
      (await client.query({ text, values: [...values] })).rows as R[],
    [Symbol.asyncDispose]: () => client.end().catch(() => undefined),
  };
}
