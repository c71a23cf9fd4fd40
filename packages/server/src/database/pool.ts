// The connections: a few shared ones that reads are pipelined over, and a pool of those that transactions hold.
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionLost, isRerunnable, isStalePlan } from './faults.ts';
import { gatheringSocket } from './gathering-socket.ts';
import type { Db, Tx } from './session.ts';
import type { Statement } from './sql.ts';
import { types } from './types.ts';

/** Where the database is: an address, or the parts of one. */
export type Connection = pg.ClientConfig;

export interface PoolOptions {
  readonly connection: Connection;
  /** Connections that reads share. */
  readonly readers: number;
  /** Connections that transactions hold, one each. */
  readonly writers: number;
  readonly onError: (error: Error) => void;
}

export interface TransactionOptions {
  /**
   * The transaction finds out by itself whether an earlier attempt was committed, so it may be run
   * again even when the connection broke at the commit.
   */
  readonly detectsItself?: boolean;
  /** Undo everything at the end: the checks run, nothing stays. */
  readonly rollback?: boolean;
}

export interface Database extends Db, AsyncDisposable {
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  counts(): Readonly<Record<'writersBusy' | 'writersWaiting' | 'reads', number>>;
}

const attempts = 3;
/** Beyond this many waiting transactions a new one is refused at once: shed early, answer 503. */
const waitingMax = 512;

const timeouts = (read: boolean) =>
  [
    '-c timezone=UTC',
    '-c datestyle=ISO',
    '-c extra_float_digits=3',
    '-c default_transaction_isolation=read\\ committed',
    `-c statement_timeout=${read ? 5_000 : 10_000}`,
    '-c lock_timeout=5000',
    '-c idle_in_transaction_session_timeout=10000',
    // Pages are small: workers and compiled plans would take longer to start.
    '-c max_parallel_workers_per_gather=0',
    '-c jit=off',
    ...(read ? ['-c default_transaction_read_only=on'] : []),
  ].join(' ');

function clientConfig(
  options: PoolOptions,
  read: boolean,
): pg.ClientConfig & { pipeline: boolean } {
  return {
    application_name: 'colophon',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...options.connection,
    options: timeouts(read),
    types,
    pipeline: true,
    stream: gatheringSocket,
  };
}

type Result = pg.QueryResult<Record<string, unknown>>;

function send(client: pg.ClientBase, statement: Statement): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(
      { name: statement.name, text: statement.text, values: statement.values as unknown[] },
      (error: Error | null, result: Result) => (error ? reject(error) : resolve(result)),
    );
  });
}

function plain(client: pg.ClientBase, text: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(text, (error: Error | null, result: Result) =>
      error ? reject(error) : resolve(result),
    );
  });
}

interface Slot {
  client: Promise<pg.Client> | undefined;
  busy: number;
}

function readers(options: PoolOptions) {
  const slots: Slot[] = Array.from({ length: options.readers }, () => ({
    client: undefined,
    busy: 0,
  }));

  function open(slot: Slot): Promise<pg.Client> {
    const client = new pg.Client(clientConfig(options, true));
    const opened = client.connect().then(() => client);
    const forget = () => {
      if (slot.client === opened) slot.client = undefined;
    };
    client.on('error', (error) => {
      forget();
      options.onError(error);
    });
    client.on('end', forget);
    opened.catch(forget);
    slot.client = opened;
    return opened;
  }

  function drop(slot: Slot): void {
    const { client } = slot;
    slot.client = undefined;
    void client?.then((open) => open.end());
  }

  async function read(statement: Statement): Promise<Result> {
    const slot = slots.reduce((least, next) => (next.busy < least.busy ? next : least));
    slot.busy += 1;
    try {
      const opened = slot.client ?? open(slot);
      return await send(await opened, statement);
    } catch (error) {
      // The connection would meet the stale plan again.
      if (isStalePlan(error)) drop(slot);
      throw error;
    } finally {
      slot.busy -= 1;
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled(slots.map(async (slot) => (await slot.client)?.end()));
  }

  return { read, close, busy: () => slots.reduce((sum, slot) => sum + slot.busy, 0) };
}

/**
 * Whether another try is worth it, and after how many milliseconds: a few times for a lost connection,
 * and for a stale plan once for each connection, since each has its own and is closed when it shows.
 */
function patience(connections: number): (error: unknown) => number | undefined {
  let tries = 1;
  let stale = connections;
  return (error) => {
    if (isStalePlan(error)) return stale-- > 0 ? 0 : undefined;
    if (tries >= attempts) return undefined;
    const pause = 20 * tries * tries;
    tries += 1;
    return pause + Math.random() * 20;
  };
}

/** Reading again is always safe: for a stale plan, and while the database comes back. */
async function readAgain(read: () => Promise<Result>, connections: number): Promise<Result> {
  const pauseAfter = patience(connections);
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

interface Sent {
  readonly tx: Tx;
  /** Everything that was sent, in order. */
  readonly all: Promise<Result>[];
}

/** The commit reports every failure, so a promise that nobody waits for must not end the process. */
function quiet<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

function transactionOn(client: pg.PoolClient, begun: Promise<Result>): Sent {
  const all: Promise<Result>[] = [quiet(begun)];
  const track = (statement: Statement) => {
    const result = quiet(send(client, statement));
    all.push(result);
    return result;
  };
  const tx = {
    rows: (statement: Statement) => quiet(track(statement).then((result) => result.rows)),
    first: (statement: Statement) => quiet(track(statement).then((result) => result.rows[0])),
    run: (statement: Statement) => quiet(track(statement).then((result) => result.rowCount ?? 0)),
  } as unknown as Tx;
  return { tx, all };
}

/** A failed statement makes COMMIT answer ROLLBACK without an error: every result is looked at. */
async function commit(client: pg.PoolClient, sent: Sent, rollback: boolean): Promise<void> {
  const ending = plain(client, rollback ? 'rollback' : 'commit');
  ending.catch(() => undefined);
  await Promise.all(sent.all);
  const { command } = await ending;
  if (!rollback && command !== 'COMMIT') throw new Error(`The transaction ended with ${command}.`);
}

async function once<T>(
  client: pg.PoolClient,
  work: (tx: Tx) => Promise<T>,
  rollback: boolean,
  state: { committing: boolean },
): Promise<T> {
  const sent = transactionOn(client, plain(client, 'begin'));
  let broken: Error | undefined;
  try {
    const result = await work(sent.tx);
    state.committing = true;
    await commit(client, sent, rollback);
    return result;
  } catch (error) {
    if (isConnectionLost(error) || isStalePlan(error)) broken = error as Error;
    else await plain(client, 'rollback').catch((lost: Error) => (broken = lost));
    // The first failure of the pipeline is the cause of what `work` saw.
    const failed = (await Promise.allSettled(sent.all)).find((one) => one.status === 'rejected');
    const cause: unknown =
      failed !== undefined && !state.committing && isAborted(error) ? failed.reason : error;
    // The connection would meet the stale plan again.
    if (isStalePlan(cause)) broken = cause as Error;
    throw cause;
  } finally {
    client.release(broken);
  }
}

/** Whether running again cannot do twice what a lost connection may have done already. */
function mayRunAgain(error: unknown, outcomeKnown: boolean): boolean {
  return isRerunnable(error) || isStalePlan(error) || (isConnectionLost(error) && outcomeKnown);
}

/** 25P02: an earlier statement failed, this one was not run. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && (error as Error & { code?: string }).code === '25P02';
}

/** Opens the connections lazily; the first statement meets a database that is away, not this call. */
export function openDatabase(options: PoolOptions): Database {
  const pool = new pg.Pool({
    ...clientConfig(options, false),
    max: options.writers,
    idleTimeoutMillis: 60_000,
  } as pg.PoolConfig);
  pool.on('error', options.onError);
  // The pool listens to idle clients only. One that is lost between two statements of a transaction
  // would end the process; the next statement reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const shared = readers(options);
  const read = (statement: Statement) => readAgain(() => shared.read(statement), options.readers);

  async function transaction<T>(
    work: (tx: Tx) => Promise<T>,
    wish: TransactionOptions = {},
  ): Promise<T> {
    const pauseAfter = patience(options.writers);
    for (;;) {
      const state = { committing: false };
      try {
        if (pool.waitingCount >= waitingMax)
          throw new Error('timeout exceeded: too many transactions wait');
        return await once(await pool.connect(), work, wish.rollback === true, state);
      } catch (error) {
        const known = wish.detectsItself === true || !state.committing;
        const pause = mayRunAgain(error, known) ? pauseAfter(error) : undefined;
        if (pause === undefined) throw error;
        await wait(pause);
      }
    }
  }

  return {
    rows: async <R>(statement: Statement<R>) => (await read(statement)).rows as readonly R[],
    first: async <R>(statement: Statement<R>) => (await read(statement)).rows[0] as R | undefined,
    transaction,
    counts: () => ({
      writersBusy: pool.totalCount - pool.idleCount,
      writersWaiting: pool.waitingCount,
      reads: shared.busy(),
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled([pool.end(), shared.close()]);
    },
  };
}
