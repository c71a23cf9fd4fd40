// How many connections the database has room for.
import type pg from 'pg';
import { connectionTo } from './address.ts';
import { newClient } from './client/new-client.ts';

const room = `
  select least(
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
  ) as room`;

/**
 * Returns the number of connections that the role in this address may open, other users of the database
 * included; undefined if the database cannot be reached: then the first process prints the reason.
 */
export async function connectionRoom(databaseUrl: string): Promise<number | undefined> {
  let client: pg.Client | undefined;
  try {
    const connection = await connectionTo(databaseUrl);
    client = newClient(connection, { application_name: 'colophon-start', settings: {} });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ room: number }>(room);
    return rows[0]?.room;
  } catch {
    return undefined;
  } finally {
    await client?.end().catch(() => undefined);
  }
}
