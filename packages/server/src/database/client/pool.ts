// The connections of the database: one set for reads, and a pool for transactions.
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { clientOptions, send } from './client-config.ts';
import type { Result } from './client-config.ts';
import { newPool, standbyRefusal } from './new-client.ts';
import type { Connection } from './new-client.ts';
import { watchCommit } from './in-doubt.ts';
import {
  isAborted,
  isConnectionLost,
  isRerunnable,
  isStalePlan,
  isUnsupported,
} from './pg-errors.ts';
import { openOwnerTurns } from './owner-turns.ts';
import type { OwnerTurns } from './owner-turns.ts';
import { retryPolicy } from './retry-policy.ts';
import { openReads } from './reads.ts';
import type { KeyedRead } from './keyed-read.ts';
import { nameBuckets } from './name-buckets.ts';
import type { Db, Tx } from './session.ts';
import type { Statement } from './sql.ts';
import { turnReads } from './turn-reads.ts';
import { openLine } from './waiting-line.ts';

export interface PoolOptions {
  readonly connection: Connection;
  /** Number of connections that short reads share. */
  readonly readers: number;
  /** Maximum number of connections for transactions, one each. */
  readonly writers: number;
  /** Multiplies the time limits of statements and locks; 1 if left out. */
  readonly patience?: number;
  readonly onError: (error: Error) => void;
}

export interface TransactionOptions {
  /**
   * The transaction detects whether an earlier attempt was committed, so it may be retried even if the
   * connection broke at the commit.
   */
  readonly detectsItself?: boolean;
  /** Roll back at the end: the checks run, nothing is stored. */
  readonly rollback?: boolean;
  /** The account whose transactions get a part of the connections: they may all wait for the same row. */
  readonly owner?: string | undefined;
}

export interface Database extends Db, AsyncDisposable {
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Whether another read or transaction would be taken now; a request asks before it costs anything.
   * @throws Error that becomes 503
   */
  requireRoom(kind: 'read' | 'transaction'): void;
  counts(): Readonly<Record<'writersBusy' | 'writersWaiting' | 'reads', number>>;
}

/**
 * With this many waiting transactions, or with more than run at once while one would wait for a second, a new
 * one is refused at once with 503.
 */
const waitingMax = 512;
const slowMs = 1_000;

/** The part of the connections that transactions of one account take at most. */
const ownedShare = 1 / 3;
const ownedLeast = 2;
/** The others wait for as long as a transaction waits for a row. */
const turnMs = 5_000;

function plain(client: pg.ClientBase, text: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(text, (error: Error | null, result: Result) =>
      error ? reject(error) : resolve(result),
    );
  });
}

/** A standby refuses to begin with the code of what is unsupported; the code of a refused write says what it is. */
async function begin(client: pg.ClientBase): Promise<Result> {
  try {
    return await plain(client, 'begin read write');
  } catch (error) {
    throw isUnsupported(error) ? standbyRefusal() : error;
  }
}

interface Sent {
  readonly tx: Tx;
  /** Results of all statements sent, in order. */
  readonly all: Promise<Result>[];
}

/** Prevents an unhandled rejection of a promise that is not awaited; the commit reports every failure. */
function quiet<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

type Route = <R>(statement: Statement<R>) => Statement<R>;

const asWritten: Route = (statement) => statement;

function transactionOn(client: pg.PoolClient, begun: Promise<Result>, as: Route): Sent {
  const all: Promise<Result>[] = [quiet(begun)];
  const track = (statement: Statement) => {
    const result = quiet(send(client, as(statement)));
    all.push(result);
    return result;
  };
  const first = (statement: Statement) => quiet(track(statement).then((result) => result.rows[0]));
  const tx = {
    rows: (statement: Statement) => quiet(track(statement).then((result) => result.rows)),
    first,
    find: <K, R>(read: KeyedRead<K, R>, key: K) => first(read.one(key)),
    run: (statement: Statement) => quiet(track(statement).then((result) => result.rowCount ?? 0)),
  } as unknown as Tx;
  return { tx, all };
}

/**
 * Commits or rolls back. After a failed statement, COMMIT returns ROLLBACK without an error, so every result
 * is checked.
 */
async function commit(client: pg.PoolClient, sent: Sent, rollback: boolean): Promise<void> {
  const ending = plain(client, rollback ? 'rollback' : 'commit');
  ending.catch(() => undefined);
  await Promise.all(sent.all);
  const { command } = await ending;
  if (!rollback && command !== 'COMMIT') throw new Error(`The transaction ended with ${command}.`);
}

/** On a distributed database, a commit is an answer only when every server has committed. */
async function commitOnAll(client: pg.PoolClient, sent: Sent, rollback: boolean): Promise<void> {
  using watch = watchCommit(client);
  await commit(client, sent, rollback);
  watch.requireComplete();
}

async function once<T>(
  client: pg.PoolClient,
  work: (tx: Tx) => Promise<T>,
  { rollback, as }: { readonly rollback: boolean; readonly as: Route },
  state: { committing: boolean },
): Promise<T> {
  const sent = transactionOn(client, begin(client), as);
  let broken: Error | undefined;
  try {
    const result = await work(sent.tx);
    state.committing = true;
    await (as === asWritten ? commit : commitOnAll)(client, sent, rollback);
    return result;
  } catch (error) {
    if (isConnectionLost(error) || isStalePlan(error)) broken = error as Error;
    else await plain(client, 'rollback').catch((lost: Error) => (broken = lost));
    // The first failure of the pipelined statements is the cause of the error that `work` received.
    const failed = (await Promise.allSettled(sent.all)).find((one) => one.status === 'rejected');
    const cause: unknown =
      failed !== undefined && !state.committing && isAborted(error) ? failed.reason : error;
    // The connection would fail with the stale plan again.
    if (isStalePlan(cause)) broken = cause as Error;
    throw cause;
  } finally {
    client.release(broken);
  }
}

/** Whether a retry cannot repeat an effect that may have been committed when the connection was lost. */
function mayRunAgain(error: unknown, outcomeKnown: boolean): boolean {
  return isRerunnable(error) || isStalePlan(error) || (isConnectionLost(error) && outcomeKnown);
}

function lineOf({ writers, patience = 1 }: PoolOptions) {
  const shortest = writers * 2;
  return { what: 'transactions', longest: waitingMax, shortest, longestMs: slowMs * patience };
}

function turnsOf(options: PoolOptions): OwnerTurns {
  const line = lineOf(options);
  return openOwnerTurns({
    atOnce: Math.max(ownedLeast, Math.floor(options.writers * ownedShare)),
    line: { ...line, what: 'transactions of one account', longest: line.longest / 2 },
    turnMs: turnMs * (options.patience ?? 1),
  });
}

/**
 * Opens the database. Connections are opened by the first statements, which report an unreachable database.
 */
export function openDatabase(options: PoolOptions): Database {
  const pool = newPool(options.connection, {
    ...clientOptions(false, options.patience),
    max: options.writers,
    idleTimeoutMillis: 60_000,
  });
  pool.on('error', options.onError);
  // The pool listens to idle clients only. A connection lost between two statements of a transaction would
  // end the process; the next statement reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const reads = openReads(options);
  const isSharded = options.connection.sharded === true;
  const as = isSharded ? nameBuckets : asWritten;
  const rows: Db['rows'] = async <R>(statement: Statement<R>) =>
    (await reads.read(as(statement))).rows as readonly R[];
  const first: Db['first'] = async (statement) => (await rows(statement))[0];
  const line = openLine(lineOf(options));
  const turns = turnsOf(options);

  async function transact<T>(work: (tx: Tx) => Promise<T>, input: TransactionOptions): Promise<T> {
    const pauseAfter = retryPolicy(options.writers);
    for (;;) {
      const state = { committing: false };
      try {
        const leave = line.enter();
        const client = await pool.connect().finally(leave);
        return await once(client, work, { rollback: input.rollback === true, as }, state);
      } catch (error) {
        const known = input.detectsItself === true || !state.committing;
        const pause = mayRunAgain(error, known) ? pauseAfter(error) : undefined;
        if (pause === undefined) throw error;
        await wait(pause);
      }
    }
  }

  return {
    rows,
    first,
    // Several buckets in one statement would go to every server.
    find: isSharded ? (read, key) => first(read.one(key)) : turnReads({ rows }),
    transaction: (work, input = {}) => turns.take(input.owner, () => transact(work, input)),
    requireRoom: (kind) => (kind === 'read' ? reads : line).requireRoom(),
    counts: () => ({
      writersBusy: pool.totalCount - pool.idleCount,
      writersWaiting: pool.waitingCount,
      reads: reads.busy(),
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled([pool.end(), reads.close()]);
    },
  };
}
