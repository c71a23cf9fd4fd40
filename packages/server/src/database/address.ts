// Reads DATABASE_URL as the driver does, and connects to what it names.
import pg from 'pg';
import { openHosts } from './client/hosts.ts';
import type { Connection } from './client/new-client.ts';
import { recognisePooler } from './client/pooler.ts';

const expected = 'postgres://user:password@host:port/database';

/** Scheme and account; hosts with their ports; database and parameters. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]*)(.*)$/s;

function addressesOf(url: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => {
    if (host === '') throw new Error('a host is empty');
    return before + host + after;
  });
}

function parseConnection(connectionString: string): Connection {
  // The driver reads the address, and a file with a certificate that it names.
  const { host, port } = new pg.Client({ connectionString });
  return { connectionString, host, port };
}

/**
 * Returns how the driver connects to the database at this address, which may name several hosts, as in
 * `postgres://user@one,two:5433/colophon`: then each connection is made to the one that is the primary.
 * @param moved receives the new primary after a failover, as `host:port`
 * @throws Error with a message for the operator: the driver cannot read the address or a file that it names
 */
function parseAddress(url: string, moved: (host: string) => void): Connection {
  try {
    const [first, ...others] = addressesOf(url).map(parseConnection);
    if (first === undefined) throw new Error('no host');
    if (others.length === 0) return { connectionString: url };
    return { ...first, hosts: openHosts([first, ...others], moved) };
  } catch (cause) {
    throw new Error(
      `DATABASE_URL cannot be used (${(cause as Error).message}): set it to ${expected}.`,
      { cause },
    );
  }
}

/**
 * Connects to the database at this address once, to find out how connections get their settings.
 * @throws Error with a message for the operator: the address is wrong, the database cannot be reached, or a
 * pooler shares its connections
 */
export async function connectionTo(
  url: string,
  moved: (host: string) => void = () => undefined,
): Promise<Connection> {
  return recognisePooler(parseAddress(url, moved));
}

/**
 * Returns how the driver connects to a standby, which is asked nothing yet: it may be down.
 * @throws Error with a message for the operator: the driver cannot read the address
 */
export function standbyAt(url: string): Connection {
  try {
    return parseConnection(url);
  } catch (cause) {
    throw new Error(
      `REPLICA_URLS cannot be used (${(cause as Error).message}): set it to addresses such as ${expected}, separated by commas.`,
      { cause },
    );
  }
}
