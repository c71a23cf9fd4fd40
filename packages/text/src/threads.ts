// A pool of worker threads: fair between requesters, bounded in memory, with a deadline for work.
import { Piscina } from 'piscina';
import type { Begun } from './lib/worker.ts';
import { openTurns } from './turns.ts';
import type { Refused, Requester } from './turns.ts';

export type { Client, Requester } from './turns.ts';

/** Why there is no result. `deadline` and `memory` depend on the task, the others on the current load. */
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
  if (stopped.aborted) return 'deadline';
  const { code } = error as Error & { readonly code?: string };
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : undefined;
}

interface Watch extends Disposable {
  /** Milliseconds since the work began. */
  readonly elapsed: () => number;
}

/** The clock of a deadline moves this often until its end. */
const steps = 5;

/**
 * Calls `stop` when the work has taken too long. Disposing of the watch cancels it. Time in which this process was
 * suspended, or its main thread busy, counts as one step: the result may be there, and unread.
 */
function watch(begun: Int32Array, ms: number, stop: () => void): Watch {
  let clock: NodeJS.Timeout | undefined;
  let since: number | undefined;
  let left = steps;
  let over = false;
  const begins = Atomics.waitAsync(begun, 0, 0);
  const move = () => {
    left -= 1;
    if (left > 0) return;
    clearInterval(clock);
    // A result that has arrived is read before the immediate.
    setImmediate(() => {
      if (!over) stop();
    });
  };
  const start = () => {
    since ??= performance.now();
    if (!over) clock = setInterval(move, ms / steps);
  };
  if (begins.async) void begins.value.then(start);
  else start();
  return {
    elapsed: () => (since === undefined ? 0 : performance.now() - since),
    [Symbol.dispose]: () => {
      over = true;
      clearInterval(clock);
      Atomics.notify(begun, 0);
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
  const { threads, waiting, waitingEach = waiting } = options;
  const pool = new Piscina<Begun<T>, R>({
    filename: options.file.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: options.idleMs,
    recordTiming: false,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: 64 },
  });
  pool.on('error', onError);
  const takeTurn = openTurns({ atOnce: threads, waiting, waitingEach });
  return {
    run: async (task, requester, deadlineMs = options.deadlineMs) => {
      const turn = await takeTurn(requester);
      if (typeof turn === 'string') return failureResult(turn);
      const begun = new Int32Array(new SharedArrayBuffer(4));
      const late = new AbortController();
      using _turn = turn;
      if (options.hopeless?.(task) === true) return failureResult('deadline');
      using work = watch(begun, deadlineMs, () => late.abort());
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
