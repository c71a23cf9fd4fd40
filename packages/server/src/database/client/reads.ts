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
import { openLine } from './waiting-line.ts';

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
 * With this many unfinished short reads, or with a tenth of it while one would take a second, a new one is refused
 * at once with 503: those that were taken stay fast, however many more requests arrive. A statement that several
 * requests share is as many reads.
 */
const unfinished = { what: 'reads', longest: 1_024, shortest: 100 } as const;
const slowMs = 1_000;

/** Statements are sent without waiting for earlier ones, and results arrive in order. */
function sharedConnections({ connection, readers, patience = 1, onError }: ReadOptions) {
  const line = openLine({ ...unfinished, longestMs: slowMs * patience });
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
    const leave = line.enter(statement.requests);
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
      leave();
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled(slots.map(async (slot) => (await slot.client)?.end()));
  }

  return { read, close, busy, requireRoom: line.requireRoom };
}

/**
 * Number of long statements that run at the same time: together they use two cores fully, and others wait.
 */
const atOnce = 3;
/** The same for long statements, which may take seconds each. */
const waiting = { what: 'long reads', longest: 512, shortest: 32, longestMs: 10_000 } as const;

/** Each statement has its own connection; waiting statements run in the order in which they were sent. */
function ownConnections({ connection, patience, onError }: ReadOptions) {
  const pool = newPool(connection, {
    ...clientOptions(true, patience),
    max: atOnce,
    idleTimeoutMillis: 60_000,
  });
  const line = openLine(waiting);
  pool.on('error', onError);
  // The pool listens to idle clients only: the running statement reports a lost connection.
  pool.on('connect', (client) => client.on('error', () => undefined));

  async function read(statement: Statement, sendOn: Send): Promise<Result> {
    const leave = line.enter();
    const client = await pool.connect().finally(leave);
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
    requireRoom: shared.requireRoom,
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
