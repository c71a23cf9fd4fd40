// A connection of its own for a backup or a restore: without the time limits of requests.
import pg from 'pg';
import type { Statement } from '../client/sql.ts';

export type Ask = <R>(statement: Statement<R>) => Promise<R[]>;

export interface CopySession extends AsyncDisposable {
  readonly client: pg.Client;
  readonly ask: Ask;
}

// A copy of a large table, or an index on it, takes longer than any request.
const settings = [
  '-c timezone=UTC',
  '-c datestyle=ISO',
  '-c extra_float_digits=3',
  '-c client_encoding=UTF8',
  '-c statement_timeout=0',
  '-c lock_timeout=0',
  '-c idle_in_transaction_session_timeout=0',
  '-c search_path=public',
].join(' ');

/** Opens the connection. Its end rolls back a transaction that is open. */
export async function openCopySession(
  connection: pg.ClientConfig,
  name: 'backup' | 'restore',
): Promise<CopySession> {
  const client = new pg.Client({
    application_name: `colophon-${name}`,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...connection,
    options: settings,
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
