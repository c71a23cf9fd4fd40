// The door of the outbox: appends messages and runs subscribers.
import type { Connection, Database, Tx } from '#database';
import type { Traces } from '#tracing';
import { hasMessages } from './append.ts';
import { listenForWakeups } from './relay-wakeup.ts';
import { inTransaction, openDedicatedConnection } from './dedicated-connection.ts';
import type { DedicatedConnection } from './dedicated-connection.ts';
import type { Log, Subscriber, Recurring } from './subscriber.ts';
import { clearLiveness, freeJobsOfTheDead, recordLiveness } from './worker-liveness.ts';
import { hasLease } from './relay-lease.ts';
import { startRelay } from './relay-loop.ts';
import { routesOf } from './relay.ts';
import { startWorker } from './worker.ts';

export { appendMessage, appendStatement, bytesFreed, hasMessages } from './append.ts';
export { despiteFailures } from './despite-failures.ts';
export { articlesOf } from './article-keys.ts';
export { startRelayWakeup } from './relay-wakeup.ts';
export { openLease } from './lease.ts';
export type { Lease } from './lease.ts';
export { openDedicatedConnection } from './dedicated-connection.ts';
export type { Ask, DedicatedConnection } from './dedicated-connection.ts';
export type { RelayWakeup } from './relay-wakeup.ts';
export { isRecurringTask } from './recurring-jobs.ts';
export { sweepJob } from './sweeping.ts';
export type { Sweep } from './sweeping.ts';
export { throttledNotify } from './throttled-notify.ts';
export type {
  ActionRecorded,
  ArticleChanged,
  BytesFreed,
  CitationChanged,
  CommentChanged,
  CommentDeleted,
  CountsGrew,
  ArticleErased,
  Delivered,
  EdgeChanged,
  ExportRequested,
  FollowChanged,
  IndexingPostponed,
  KeyChanged,
  LanguageChanged,
  LanguageUnknown,
  MediaReady,
  Message,
  Outgoing,
  PrincipalChanged,
  PastPublication,
  PrincipalClosed,
} from './messages.ts';
export type { Log, Recurring, Subscriber, SubscriberServices } from './subscriber.ts';
export { countParked, isSettled, lag, listParked, releaseParked } from './parked.ts';
export type { Lag, Parked } from './parked.ts';

const usualDeadCheckMs = 5_000;

export interface OutboxOptions {
  /** The database's address; the outbox opens about four connections of its own. */
  readonly connection: Connection;
  /** The database that subscribers use. */
  readonly db: Database;
  readonly subscribers: readonly Subscriber[];
  readonly recurring?: readonly Recurring[];
  readonly log: Log;
  /** undefined: no job is traced. */
  readonly traces?: Traces | undefined;
  /** How many subscribers run at once in this process. */
  readonly concurrency: number;
  readonly now?: () => Date;
  /** How often to search for jobs of dead workers, in ms; 5 s by default. */
  readonly deadCheckMs?: number;
}

export interface Outbox extends AsyncDisposable {
  /** Call it after a commit that wrote to the outbox: the message is handled within milliseconds. */
  wake(): void;
  /** The same as `wake`, under the name that processes without a pipeline use. */
  hint(): void;
  /** Finishes running subscribers; after `deadlineMs` (8 s by default) releases the rest. */
  stop(deadlineMs?: number): Promise<void>;
}

interface Runner {
  id: string | undefined;
}

async function free(link: DedicatedConnection, runner: Runner, log: Log): Promise<void> {
  const own = runner.id === undefined ? [] : [runner.id];
  const freed = await link.alone((ask) =>
    inTransaction(ask, async () => ((await hasLease(ask)) ? freeJobsOfTheDead(ask, own) : 0)),
  );
  if (freed > 0) log.warn({ workers: freed }, 'Released the jobs of dead workers.');
}

/** Returns the database for subscribers: it calls `wake` after a commit that wrote to the outbox. */
function wakingDatabase(db: Database, wake: () => void): Database {
  return {
    ...db,
    transaction: async (work, options) => {
      let last: Tx | undefined;
      const result = await db.transaction((tx) => {
        last = tx;
        return work(tx);
      }, options);
      if (last !== undefined && hasMessages(last)) wake();
      return result;
    },
  };
}

/**
 * Starts the pipeline in this process: the relay, which moves committed messages to the job queue, and the
 * worker, which runs subscribers. Both survive the loss of the database. The database must be migrated.
 */
export function startOutbox(options: OutboxOptions): Outbox {
  const { log } = options;
  const runner: Runner = { id: undefined };
  const routes = routesOf(options.subscribers);
  const link = openDedicatedConnection({
    connection: options.connection,
    log,
    opened: async (ask) => {
      await listenForWakeups(ask);
      if (runner.id !== undefined) await recordLiveness(ask, runner.id);
      setImmediate(freeDead);
    },
    notified: () => relay.wake(),
  });
  const relay = startRelay(link, routes, log);
  const freeDead = () => {
    free(link, runner, log).catch((error: Error) => {
      log.debug({ err: error }, 'Jobs of dead workers could not be released; it is tried again.');
    });
  };
  const deadCheck = setInterval(freeDead, options.deadCheckMs ?? usualDeadCheckMs);
  const worker = startWorker({
    ...options,
    db: wakingDatabase(options.db, relay.wake),
    onRunner: (id) => {
      const ended = runner.id;
      runner.id = id;
      // If there is no connection now, `opened` records the liveness of the runner of that moment.
      const recorded = link.alone(async (ask) => {
        if (id !== undefined) await recordLiveness(ask, id);
        else if (ended !== undefined) await clearLiveness(ask, ended);
      });
      recorded.catch(() => undefined);
    },
  });

  let stopped: Promise<void> | undefined;
  async function stopAll(deadlineMs?: number): Promise<void> {
    clearInterval(deadCheck);
    await relay[Symbol.asyncDispose]();
    await worker.stop(deadlineMs);
    await link[Symbol.asyncDispose]();
  }
  const stop = (deadlineMs?: number) => (stopped ??= stopAll(deadlineMs));

  return { wake: relay.wake, hint: relay.wake, stop, [Symbol.asyncDispose]: () => stop() };
}
