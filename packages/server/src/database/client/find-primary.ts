// Finds the primary among several servers of one database.
import pg from 'pg';

const probeMs = 1_500;

export interface Primary {
  readonly address: pg.ClientConfig;
  /** It grows with every promotion. */
  readonly timeline: number;
}

/** No row on a standby. */
const question = `
  select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline
  where not pg_is_in_recovery()`;

async function probe(address: pg.ClientConfig): Promise<Primary | undefined> {
  const client = new pg.Client({
    application_name: 'colophon-probe',
    ...address,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ readonly timeline: number }>(question);
    return rows[0] && { address, timeline: rows[0].timeline };
  } catch {
    return undefined;
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * Asks all servers, and returns the primary; undefined if none answers as one. A primary that was cut off may
 * still consider itself the primary: its timeline is older.
 */
export async function findPrimary(
  addresses: readonly pg.ClientConfig[],
): Promise<Primary | undefined> {
  const probed = await Promise.all(addresses.map(probe));
  return probed
    .filter((one) => one !== undefined)
    .toSorted((a, b) => b.timeline - a.timeline)
    .at(0);
}
