// Opens connections: their host, where there are several, and their settings.
import { callbackify } from 'node:util';
import pg from 'pg';
import { endWhenSilent } from './end-when-silent.ts';
import type { Hosts } from './hosts.ts';

/** The location of the database: an address, or the parts of one. */
export interface Connection extends pg.ClientConfig {
  /** Several servers of which one is the primary; undefined: the address names one. */
  readonly hosts?: Hosts;
  /**
   * How a connection gets its settings: with its start, or by SET after it, where a pooler refuses or ignores
   * the startup parameter `options`.
   */
  readonly settingsBy?: 'options' | 'set';
  /** The database has the extension Citus: its tables may be distributed. */
  readonly sharded?: boolean;
}

/** Run-time settings of PostgreSQL by name. */
export type Settings = Readonly<Record<string, string | number>>;

export interface ClientOptions extends pg.ClientConfig {
  readonly settings: Settings;
  readonly pipeline?: boolean;
}

interface Internals {
  readonly connection: { on(event: 'parameterStatus', listener: (status: Status) => void): void };
}

interface Status {
  readonly parameterName: string;
  readonly parameterValue: string;
}

function asOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(/[\\ ]/g, String.raw`\$&`)}`)
    .join(' ');
}

function asStatements(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${pg.escapeLiteral(String(value))}`)
    .join('; ');
}

function configOf(connection: Connection, options: ClientOptions): pg.ClientConfig {
  const { hosts: _hosts, settingsBy, sharded: _sharded, ...address } = connection;
  const { settings, ...config } = options;
  return {
    connectionTimeoutMillis: 5_000,
    // An idle connection to a machine that vanished is noticed after half a minute, not after two hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    ...address,
    ...config,
    ...(settingsBy === 'set' ? {} : { options: asOptions(settings) || address.options }),
  };
}

/** PostgreSQL reports it at the start of a connection; a pooler does not. */
function watchForStandby(client: pg.Client): () => boolean {
  let standby = false;
  (client as unknown as Internals).connection.on('parameterStatus', (status) => {
    if (status.parameterName === 'in_hot_standby') standby = status.parameterValue === 'on';
  });
  return () => standby;
}

/** `25006`, read_only_sql_transaction: the code that a standby answers to a write. */
export function standbyRefusal(): Error {
  return Object.assign(new Error('The server is a standby now.'), { code: '25006' });
}

/** Makes `connect` choose the primary among several hosts, and apply the settings. */
function extendConnect(client: pg.Client, connection: Connection, settings: Settings): pg.Client {
  const connect = client.connect.bind(client) as () => Promise<unknown>;
  const { hosts } = connection;

  async function open(): Promise<void> {
    const isStandby = watchForStandby(client);
    const release = await hosts?.assign(client);
    try {
      await connect();
      if (hosts !== undefined && isStandby()) throw standbyRefusal();
      if (connection.settingsBy === 'set') await client.query(asStatements(settings));
    } catch (error) {
      release?.();
      client.end().catch(() => undefined);
      throw error;
    }
  }

  client.connect = ((callback?: (error: Error | null) => void) => {
    if (callback === undefined) return open();
    return callbackify(open)(callback);
  }) as pg.Client['connect'];
  return client;
}

/**
 * Makes a connection that is not open yet. It has no listener for errors but one that ignores them. With
 * `statement_timeout` among its settings, it ends when the server says nothing for several times as long.
 */
export function newClient(connection: Connection, options: ClientOptions): pg.Client {
  const client = new pg.Client(configOf(connection, options));
  const { statement_timeout } = options.settings;
  if (Number(statement_timeout) > 0) endWhenSilent(client, Number(statement_timeout));
  if (connection.hosts === undefined && connection.settingsBy !== 'set') return client;
  // A connection lost while its settings are applied is reported by the statement that applies them.
  client.on('error', () => undefined);
  return extendConnect(client, connection, options.settings);
}

/** Makes a pool of such connections, which opens them on demand. */
export function newPool(
  connection: Connection,
  options: ClientOptions & Pick<pg.PoolConfig, 'max' | 'idleTimeoutMillis'>,
): pg.Pool {
  const { max, idleTimeoutMillis, ...ofClient } = options;
  // Called with `new`, as a class is; it returns the connection that it made.
  function Client() {
    return newClient(connection, ofClient);
  }
  return new pg.Pool({
    connectionTimeoutMillis: 5_000,
    max,
    idleTimeoutMillis,
    Client: Client as unknown as NonNullable<pg.PoolConfig['Client']>,
  });
}
