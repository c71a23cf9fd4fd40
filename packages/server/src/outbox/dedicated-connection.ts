// A dedicated, long-lived connection that reconnects automatically: for the relay, LISTEN and hints.
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { isAborted, nameBuckets, newClient, sql } from '#database';
import type { Connection, Statement } from '#database';
import type { Log } from './subscriber.ts';

/** Sends one statement and returns its rows. */
export type Ask = <R>(statement: Statement<R>) => Promise<R[]>;

export interface DedicatedConnectionOptions {
  readonly connection: Connection;
  readonly log: Log;
  /** The owner's name, for the log and the database's list of sessions; `outbox` by default. */
  readonly name?: string;
  /** Runs on every new connection before its first use. */
  opened?(ask: Ask): Promise<void>;
  /** Called with the payload of each notification; called without one when some may have been missed. */
  notified?(payload?: string): void;
}

export interface DedicatedConnection extends AsyncDisposable {
  /** Whether the tables may be distributed over several servers. */
  readonly sharded: boolean;
  /** Runs `work` with exclusive use of the connection. Rejects while there is no connection. */
  alone<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
}

const pauses = [50, 200, 500, 1_000, 2_000] as const;

// A host that vanished is noticed after 60 s; then its lease and its liveness lock end.
const settings = {
  timezone: 'UTC',
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 10_000,
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
};

/** Runs `work` in a transaction on a connection that has no other user meanwhile. */
export async function inTransaction<T>(ask: Ask, work: () => Promise<T>): Promise<T> {
  await ask(sql`begin`);
  try {
    const result = await work();
    await ask(sql`commit`);
    return result;
  } catch (error) {
    await ask(sql`rollback`).catch(() => undefined);
    throw error;
  }
}

/** A rollback that failed leaves its transaction open, which refuses every statement: the connection is replaced. */
function askOn(client: pg.Client, { sharded }: Connection): Ask {
  return async <R>(statement: Statement<R>) => {
    const { name, text, values } = sharded === true ? nameBuckets(statement) : statement;
    try {
      const { rows } = await client.query({ name, text, values: [...values] });
      return rows as R[];
    } catch (error) {
      if (isAborted(error)) client.end().catch(() => undefined);
      throw error;
    }
  };
}

function nameOf({ name = 'outbox' }: DedicatedConnectionOptions): string {
  return name;
}

function makeClient(options: DedicatedConnectionOptions): pg.Client {
  const client = newClient(options.connection, {
    application_name: `colophon-${nameOf(options)}`,
    settings,
  });
  client.on('error', (error) =>
    options.log.warn(
      { err: error, connection: nameOf(options) },
      'A dedicated connection to the database was lost; it is opened again.',
    ),
  );
  client.on('notification', ({ payload }) => options.notified?.(payload ?? ''));
  return client;
}

/** Opens the connection, and reopens it whenever it is lost, until it is disposed of. */
export function openDedicatedConnection(options: DedicatedConnectionOptions): DedicatedConnection {
  const stopping = new AbortController();
  let current: Ask | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let failures = 0;

  async function live(): Promise<void> {
    const client = makeClient(options);
    const ended = Promise.withResolvers<void>();
    client.on('end', ended.resolve);
    const end = () => void client.end().catch(() => undefined);
    try {
      await client.connect();
      const ask = askOn(client, options.connection);
      await options.opened?.(ask);
      stopping.signal.addEventListener('abort', end, { once: true });
      if (stopping.signal.aborted) end();
      current = ask;
      failures = 0;
      options.notified?.();
      await ended.promise;
    } finally {
      current = undefined;
      stopping.signal.removeEventListener('abort', end);
      end();
    }
  }

  async function keepAlive(): Promise<void> {
    while (!stopping.signal.aborted) {
      await live().catch((error: Error) => {
        const text = 'A dedicated connection to the database cannot be opened; it is tried again.';
        options.log.warn({ err: error, connection: nameOf(options) }, text);
      });
      const pause = pauses[Math.min(failures, pauses.length - 1)];
      failures += 1;
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const alive = keepAlive();

  return {
    sharded: options.connection.sharded === true,
    alone: (work) => {
      const mine = last.then(() => {
        if (current === undefined)
          throw new Error(`The ${nameOf(options)} has no connection to the database now.`);
        return work(current);
      });
      last = mine.catch(() => undefined);
      return mine;
    },
    [Symbol.asyncDispose]: async () => {
      await last;
      stopping.abort();
      await alive;
    },
  };
}
