// The connections for reads: a few shared by short statements, and a few for long ones.
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { clientOptions, send } from './client-config.ts';
import type { Result } from './client-config.ts';
import { newClient, newPool } from './new-client.ts';
import type { Connection } from './new-client.ts';
import { isConnectionLost, isStalePlan } from './pg-errors.ts';
import { retryPolicy } from './retry-policy.ts';
import type { Statement } from './sql.ts';

interface ReadOptions {
  readonly connection: Connection;
  /** Number of connections that short statements share. */
  readonly readers: number;
  /** Multiplies the time limits of statements; 1 if left out. */
  readonly patience?: number;
  readonly onError: (error: Error) => void;
}

/** Sends a statement on a connection, with others before it if need be. */
export type Send = typeof send;

interface Slot {
  client: Promise<pg.Client> | undefined;
  busy: number;
}

/**
 * With this many unfinished short statements, a new one is refused at once with 503: those that were taken
 * stay fast, however many more requests arrive.
 */
const unfinishedMax = 1_024;
const tooMany = 'timeout exceeded: too many';

/** Whether a read was refused because too many wait already. */
export function isOverload(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(tooMany);
}

/** Statements are sent without waiting for earlier ones, and results arrive in order. */
function sharedConnections({ connection, readers, patience, onError }: ReadOptions) {
  const slots: Slot[] = Array.from({ length: readers }, () => ({ client: undefined, busy: 0 }));

  function open(slot: Slot): Promise<pg.Client> {
    const client = newClient(connection, clientOptions(true, patience));
    const opened = client.connect().then(() => client);
    const forget = () => {
      if (slot.client === opened) slot.client = undefined;
    };
    client.on('error', (error) => {
      forget();
      onError(error);
    });
    client.on('end', forget);
    opened.catch(forget);
    slot.client = opened;
    return opened;
  }

  /** Closes the connection, unless the slot already has another one, which its own readers wait for. */
  function drop(slot: Slot, opened: Promise<pg.Client>): void {
    if (slot.client !== opened) return;
    slot.client = undefined;
    opened.then((client) => client.end()).catch(onError);
  }

  const busy = () => slots.reduce((sum, slot) => sum + slot.busy, 0);

  async function read(statement: Statement, sendOn: Send): Promise<Result> {
    if (busy() >= unfinishedMax) throw new Error(`${tooMany} reads are waiting`);
    const slot = slots.reduce((least, next) => (next.busy < least.busy ? next : least));
    const opened = slot.client ?? open(slot);
    slot.busy += 1;
    try {
      return await sendOn(await opened, statement);
    } catch (error) {
      // The connection would fail with the stale plan again.
      if (isStalePlan(error)) drop(slot, opened);
      throw error;
    } finally {
      slot.busy -= 1;
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled(slots.map(async (slot) => (await slot.client)?.end()));
  }

  return { read, close, busy };
}

/**
 * Number of long statements that run at the same time: together they use two cores fully, and others wait.
 */
const atOnce = 3;
/** With this many waiting statements, a new one is refused at once with 503. */
const waitingMax = 512;

/** Each statement has its own connection; waiting statements run in the order in which they were sent. */
function ownConnections({ connection, patience, onError }: ReadOptions) {
  const pool = newPool(connection, {
    ...clientOptions(true, patience),
    max: atOnce,
    idleTimeoutMillis: 60_000,
  });
  pool.on('error', onError);
  // The pool listens to idle clients only: the running statement reports a lost connection.
  pool.on('connect', (client) => client.on('error', () => undefined));

  async function read(statement: Statement, sendOn: Send): Promise<Result> {
    if (pool.waitingCount >= waitingMax) throw new Error(`${tooMany} long reads are waiting`);
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await sendOn(client, statement);
    } catch (error) {
      if (isStalePlan(error) || isConnectionLost(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    read,
    close: () => pool.end(),
    busy: () => pool.totalCount - pool.idleCount + pool.waitingCount,
  };
}

/** Retries a read, which is always safe: for a stale plan, and until the database is available again. */
async function readAgain(read: () => Promise<Result>, connections: number): Promise<Result> {
  const pauseAfter = retryPolicy(connections);
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const again = isStalePlan(error) || isConnectionLost(error);
      const pause = again ? pauseAfter(error) : undefined;
      if (pause === undefined) throw error;
      await wait(pause);
    }
  }
}

/** Opens the connections for reads, each with the first statement that needs it. Nothing is retried. */
export function openReaders(options: ReadOptions) {
  const shared = sharedConnections(options);
  const own = ownConnections(options);
  return {
    read: (statement: Statement, sendOn: Send = send): Promise<Result> =>
      (statement.takesLong === true ? own : shared).read(statement, sendOn),
    busy: () => shared.busy() + own.busy(),
    close: async () => {
      await Promise.allSettled([shared.close(), own.close()]);
    },
  };
}

/** Opens the connections for reads, which are retried. */
export function openReads(options: ReadOptions) {
  const { read, ...readers } = openReaders(options);
  return {
    ...readers,
    read: (statement: Statement): Promise<Result> =>
      readAgain(() => read(statement), statement.takesLong === true ? atOnce : options.readers),
  };
}
