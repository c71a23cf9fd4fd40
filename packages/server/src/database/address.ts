// DATABASE_URL as the driver reads it, before anything connects.
import pg from 'pg';
import type { Connection } from './client/client-config.ts';

/**
 * How the driver connects to the database of an address.
 * @throws Error with a sentence for the operator, where the driver cannot read it or a file that it names
 */
export function connectionTo(connectionString: string): Connection {
  const connection = { connectionString };
  try {
    void new pg.Client(connection);
  } catch (cause) {
    throw new Error(
      `DATABASE_URL cannot be used (${(cause as Error).message}): set it to postgres://user:password@host:port/database.`,
      { cause },
    );
  }
  return connection;
}
