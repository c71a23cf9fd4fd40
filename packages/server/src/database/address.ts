// Checks DATABASE_URL as the driver reads it, before any connection.
import pg from 'pg';
import type { Connection } from './client/client-config.ts';

/**
 * Returns how the driver connects to the database at this address.
 * @throws Error with a message for the operator: the driver cannot read the address or a file that it names
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
