// A pool of worker threads: fair between requesters, bounded in memory, with a deadline for work.
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import { newBegun } from './lib/worker.ts';
import type { Begun } from './lib/worker.ts';
import { openTurns } from './turns.ts';
import type { Refused, Requester } from './turns.ts';

export type { Client, Requester } from './turns.ts';

/**
 * Why there is no result. `deadline` and `memory` depend on the task, the others on the current load: `crowded` also
 * when the thread got too little of the processors to finish.
 */
export type Failure = 'deadline' | 'memory' | Refused;

export type Outcome<R> =
  | { readonly result: R; readonly failure: null }
  | { readonly result: null; readonly failure: Failure };

export interface Threads<T, R> extends AsyncDisposable {
  /** @throws Error when the worker throws or cannot be started */
  run(task: T, requester: Requester, deadlineMs?: number): Promise<Outcome<R>>;
}

interface ThreadOptions<T> {
  /** The worker's file. Its default export is the return value of `worker`. */
  readonly file: URL;
  readonly threads: number;
  /** The memory of each thread. */
  readonly memoryMb: number;
  /** Milliseconds of work, after which the thread is terminated. */
  readonly deadlineMs: number;
  /**
   * With it, the deadline is one of processor time, for verdicts that are stored: on a machine that is busy otherwise,
   * work may run this many times as long, and is `crowded` then. Without it, the clock counts, and nobody waits longer.
   */
  readonly patience?: number;
  readonly idleMs: number;
  readonly waiting: number;
  readonly waitingEach?: number;
  /** Whether a task is known to exceed its deadline; called when its turn has come. */
  readonly hopeless?: (task: T) => boolean;
}

function failureResult(failure: Failure): { readonly result: null; readonly failure: Failure } {
  return { result: null, failure };
}

function failureOf(error: unknown, stopped: AbortSignal): Failure | undefined {
  if (stopped.aborted) return stopped.reason as Late;
  const { code } = error as Error & { readonly code?: string };
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : undefined;
}

interface Watch extends Disposable {
  /** Milliseconds since the work began. */
  readonly elapsed: () => number;
}

/** Why work was ended: for its processor time, or because it got so little of that. */
type Late = Extract<Failure, 'deadline' | 'crowded'>;

interface Deadline {
  readonly ms: number;
  /** Milliseconds that work may take which has not used its processor time. */
  readonly longestMs: number;
  /** Returns the processor time of the work so far; undefined where it is unknown or does not count. */
  readonly usedMs: () => Promise<number | undefined>;
  readonly stop: (reason: Late) => void;
}

/** The clock of a deadline moves this often until its end. */
const steps = 5;
const pauseMsMin = 50;

/**
 * Calls `stop` when the work has taken too long, of processor time where that counts. Disposing of the watch cancels
 * it. Time in which this process was suspended, or its main thread busy, counts as one step: the result
 * may be there, and unread.
 */
function watch(begun: Int32Array, { ms, longestMs, usedMs, stop }: Deadline): Watch {
  let clock: NodeJS.Timeout | undefined;
  let since: number | undefined;
  let left = steps;
  let over = false;
  const begins = Atomics.waitAsync(begun, 0, 0);
  const run = (restMs: number) => {
    left = steps;
    clock = setInterval(move, restMs / steps);
  };
  const decide = async () => {
    const used = over ? undefined : await usedMs();
    if (over) return;
    const isOver = elapsed() > longestMs - pauseMsMin;
    // Without an answer about its processor time, it may have used all of it.
    if (used === undefined ? isOver : used >= ms) stop('deadline');
    else if (isOver) stop('crowded');
    else run(Math.max(pauseMsMin, ms - (used ?? ms)));
  };
  const move = () => {
    left -= 1;
    if (left > 0) return;
    clearInterval(clock);
    // A result that has arrived is read before the immediate.
    setImmediate(() => void decide());
  };
  const start = () => {
    since ??= performance.now();
    if (!over) run(ms);
  };
  const elapsed = () => (since === undefined ? 0 : performance.now() - since);
  if (begins.async) void begins.value.then(start);
  else start();
  return {
    elapsed,
    [Symbol.dispose]: () => {
      over = true;
      clearInterval(clock);
      Atomics.notify(begun, 0);
    },
  };
}

/** How long the answer about processor time may take: a thread in a long native call gives none meanwhile. */
const answerMs = 1_000;

/** Returns the processor time of the work that has begun, in milliseconds. */
async function usedBy(
  pool: Piscina<never, unknown>,
  begun: Int32Array,
): Promise<number | undefined> {
  const [, id, before = 0] = begun;
  const thread = pool.threads.find(({ threadId }) => threadId === id);
  const used = await Promise.race([
    thread?.cpuUsage().catch(() => undefined),
    wait(answerMs, undefined, { ref: false }),
  ]);
  return used === undefined ? undefined : (used.user + used.system) / 1000 - before;
}

/**
 * Takes back V8's own sizes of a heap, such as those in NODE_OPTIONS: they would replace the limits of threads. The main
 * thread keeps what it has started with.
 */
function resetHeapFlags(): void {
  for (const flag of ['max-old-space-size', 'max-heap-size']) setFlagsFromString(`--${flag}=0`);
}

/**
 * Ends tasks that no thread has begun when a thread could not start, because the process has no descriptor or memory
 * left. The pool keeps them for a thread that never comes, and no deadline runs before the work begins.
 */
function failUnbegun(pool: Piscina<never, unknown>) {
  const asked = new Map<Int32Array, () => void>();
  pool.on('error', () => {
    for (const [begun, end] of asked) if (Atomics.load(begun, 0) === 0) end();
  });
  return {
    add: (begun: Int32Array, end: () => void): Disposable => {
      asked.set(begun, end);
      return { [Symbol.dispose]: () => void asked.delete(begun) };
    },
  };
}

/**
 * Opens the pool. No thread starts until the first task, and idle threads end. The pool's own queue stays
 * empty, because it stalls when the thread that it waits for is terminated.
 */
export function openThreads<T, R>(
  options: ThreadOptions<T>,
  onError: (error: Error) => void,
): Threads<T, R> {
  const { threads, waiting, waitingEach = waiting, patience } = options;
  resetHeapFlags();
  const pool = new Piscina<Begun<T>, R>({
    filename: options.file.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: options.idleMs,
    recordTiming: false,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: 64 },
  });
  const unbegun = failUnbegun(pool);
  pool.on('error', onError);
  const takeTurn = openTurns({ atOnce: threads, waiting, waitingEach });
  return {
    run: async (task, requester, deadlineMs = options.deadlineMs) => {
      const turn = await takeTurn(requester);
      if (typeof turn === 'string') return failureResult(turn);
      const begun = newBegun();
      const late = new AbortController();
      using _turn = turn;
      if (options.hopeless?.(task) === true) return failureResult('deadline');
      using work = watch(begun, {
        ms: deadlineMs,
        longestMs: (patience ?? 1) * deadlineMs,
        usedMs: async () => (patience === undefined ? undefined : usedBy(pool, begun)),
        stop: (reason) => late.abort(reason),
      });
      using _asked = unbegun.add(begun, () => late.abort('crowded' satisfies Late));
      try {
        return { result: await pool.run({ task, begun }, { signal: late.signal }), failure: null };
      } catch (error) {
        const failure = failureOf(error, late.signal);
        if (failure === undefined) throw error;
        return failureResult(failure);
      } finally {
        if (typeof requester === 'object') requester.worked?.(work.elapsed());
      }
    },
    [Symbol.asyncDispose]: () => pool.close({ force: true }),
  };
}
