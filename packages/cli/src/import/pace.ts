// When an import waits, and when it stops: limits, allowances, and a service that does not answer.
import { ProblemError } from '@colophon/sdk';

/** Why an import stopped before its end. */
export interface Stop {
  /** A sentence that says what to do. */
  readonly reason: string;
  /** The time from which the import can continue, if the service names it. */
  readonly continueAt: string | undefined;
}

export interface Pace {
  /**
   * Calls the service. Repeats the call after a short wait that the service asks for, and while the service
   * cannot be reached; the call must have an Idempotency-Key of its own, or be repeatable.
   *
   * @throws ProblemError for a problem of this call; a stop (`stopOf`) for one that concerns all calls
   */
  call<T>(work: () => Promise<T>): Promise<T>;
}

export interface PaceOptions {
  readonly signal: AbortSignal | undefined;
  /** The longest wait for a limit, in milliseconds. */
  readonly longestWaitMs: number;
  /** Repetitions while the service cannot be reached, in addition to those of the client. */
  readonly patience: number;
  readonly onWait: (seconds: number, reason: string) => void;
}

const stops = new WeakMap<Error, Stop>();

/** Returns the stop that an error means; undefined for every other error. */
export function stopOf(error: unknown): Stop | undefined {
  return error instanceof Error ? stops.get(error) : undefined;
}

function stop(reason: string, cause: unknown, continueAt?: string): Error {
  const error = new Error(reason, { cause });
  error.name = 'ImportStopped';
  stops.set(error, { reason, continueAt });
  return error;
}

function minuteOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

/** The next full minute, so that the time named is not too early. */
function timeAfter(seconds: number): string {
  const minute = 60_000;
  return new Date(Math.ceil((Date.now() + seconds * 1000) / minute) * minute).toISOString();
}

function quotaStop(error: ProblemError): Error {
  const { quota, retry_after_seconds: seconds, detail } = error.problem;
  if (quota === undefined || quota.window === 'total')
    return stop(
      `The service has no room left for this account: ${detail ?? error.problem.title} Delete files that you do not need, or ask the operator for a larger allowance. Then run the import again: it continues.`,
      error,
    );
  const at = quota.reset_at ?? timeAfter(seconds ?? 3600);
  return stop(
    `The allowance of ${quota.limit} for ${quota.action} in this ${quota.window} is used up. Run the import again after ${minuteOf(at)}: it continues where it stopped.`,
    error,
    at,
  );
}

function rateStop(error: ProblemError): Error {
  const at = timeAfter(error.problem.retry_after_seconds ?? 60);
  return stop(
    `The service asks for a long pause. Run the import again after ${minuteOf(at)}: it continues where it stopped.`,
    error,
    at,
  );
}

/** Problems that every further call would meet. */
const forAll = new Set(['unauthenticated', 'insufficient-scope']);
const temporary = new Set(['unavailable', 'internal-error', 'idempotency-in-progress']);

function isTemporary(error: ProblemError): boolean {
  return error.source !== 'service' || temporary.has(error.problem.name);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
}

/** Returns the wait for a limit in milliseconds. @throws a stop where it is too long */
function limitWait(error: ProblemError, longestWaitMs: number): number {
  const { name, quota, retry_after_seconds: seconds = 60 } = error.problem;
  const ms = seconds * 1000;
  if (name === 'quota-exceeded' && (quota?.window === 'total' || ms > longestWaitMs))
    throw quotaStop(error);
  if (ms > longestWaitMs) throw rateStop(error);
  // A little more, so that the window has certainly turned.
  return ms + 250;
}

function isLimit({ problem }: ProblemError): boolean {
  return problem.name === 'rate-limited' || problem.name === 'quota-exceeded';
}

/** Returns the wait in milliseconds. @throws the problem, or a stop */
function waitFor(error: unknown, failures: number, options: PaceOptions): number {
  if (!(error instanceof ProblemError)) throw error;
  if (isLimit(error)) return limitWait(error, options.longestWaitMs);
  if (forAll.has(error.problem.name))
    throw stop(`The service refuses the token: ${error.problem.detail ?? error.message}`, error);
  if (!isTemporary(error)) throw error;
  if (failures <= options.patience) return Math.min(500 * 2 ** failures, 30_000);
  throw stop(
    `The service does not answer properly: ${error.problem.detail ?? error.message} Run the import again later: it continues where it stopped.`,
    error,
  );
}

export function createPace(options: PaceOptions): Pace {
  const { signal, onWait } = options;
  return {
    call: async (work) => {
      for (let failures = 0; ;) {
        signal?.throwIfAborted();
        try {
          return await work();
        } catch (error) {
          signal?.throwIfAborted();
          if (!(error instanceof ProblemError && isLimit(error))) failures += 1;
          const ms = waitFor(error, failures, options);
          if (ms >= 2_000) onWait(Math.ceil(ms / 1000), (error as ProblemError).problem.title);
          await pause(ms, signal);
        }
      }
    },
  };
}
