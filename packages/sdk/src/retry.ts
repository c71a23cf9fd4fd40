// When a request is retried, and after which wait.
import type { AnyOperation } from './contract.ts';
import type { RetryOptions } from './call-options.ts';
import { isRefusedPort } from './problem-error.ts';
import type { ProblemError } from './problem-error.ts';

/** RetryOptions with all its members. */
export type Retry = { readonly [Name in keyof RetryOptions]-?: number };

export const retryDefaults: Retry = {
  attempts: 4,
  baseMs: 250,
  capMs: 8_000,
  longestWaitMs: 30_000,
  timeoutMs: 60_000,
};

/** Returns all options: those that are undefined have their default. */
export function completeRetry(options: RetryOptions = {}, defaults: Retry = retryDefaults): Retry {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...(Object.fromEntries(defined) as Partial<Retry>) };
}

/** Network errors that occur before the first byte of the request is sent, by Node's names. */
const neverSent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  // The certificate is checked before the request is sent.
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function codeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return (cause as { code?: unknown } | null | undefined)?.code;
}

/**
 * Whether the attempt may have had its effect. False when the request was never sent, or the service answered
 * with a problem that excludes an effect.
 */
export function isOutcomeUnknown(error: ProblemError): boolean {
  if (error.source === 'network')
    return !isRefusedPort(error.cause) && !neverSent.has(codeOf(error.cause));
  return error.source === 'gateway' || error.problem.name === 'internal-error';
}

/**
 * Whether a retry of the same bytes can succeed. `conflict` requires a fresh read first, which only the
 * caller can do.
 */
function canPass(error: ProblemError): boolean {
  return error.retryable && error.problem.name !== 'conflict';
}

/** Whether a request may be sent twice: reads, deletions, and requests with an Idempotency-Key. */
export function isRepeatable(operation: AnyOperation, idempotencyKey: string | undefined): boolean {
  return (
    operation.method === 'GET' || operation.method === 'DELETE' || idempotencyKey !== undefined
  );
}

/**
 * Returns the milliseconds to wait before the next attempt, or undefined when there is none. Exponential
 * back-off with full jitter, in addition to the wait that the service specifies.
 */
export function waitBefore(
  error: ProblemError,
  request: { readonly attempts: number; readonly repeatable: boolean },
  retry: Retry,
): number | undefined {
  if (request.attempts >= retry.attempts || !canPass(error)) return undefined;
  if (!request.repeatable && isOutcomeUnknown(error)) return undefined;
  const specifiedMs = (error.problem.retry_after_seconds ?? 0) * 1000;
  if (specifiedMs > retry.longestWaitMs) return undefined;
  const ceiling = Math.min(retry.capMs, retry.baseMs * 2 ** (request.attempts - 1));
  return specifiedMs + Math.random() * ceiling;
}

/** The largest delay of a timer: a larger one would end at once. */
export const longestTimerMs = 2_147_483_647;

/** Waits; rejects with the signal's reason as soon as one of them is aborted. */
export async function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
      const aborted = signals.find((signal) => signal.aborted);
      if (aborted) reject(aborted.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, Math.min(ms, longestTimerMs));
    for (const signal of signals) signal.addEventListener('abort', end);
    if (signals.some((signal) => signal.aborted)) end();
  });
}
