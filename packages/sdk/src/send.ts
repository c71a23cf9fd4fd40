// Sends one call: attempts, time limits, and the handling of each kind of response.
import type { CallOptions, ReplyHead } from './call-options.ts';
import type { AnyOperation, OperationName } from './contract.ts';
import {
  gatewayProblem,
  networkProblem,
  parseJson,
  problemOf,
  ProblemError,
} from './problem-error.ts';
import type { PreparedRequest } from './request.ts';
import { isOutcomeUnknown, isRepeatable, longestTimerMs, pause, waitBefore } from './retry.ts';
import type { Retry } from './retry.ts';
import { reportingBody } from './upload-progress.ts';
import type { ReportingBody } from './upload-progress.ts';

export interface Sending {
  readonly fetch: typeof fetch;
  readonly retry: Retry;
  readonly signals: readonly AbortSignal[];
  readonly idempotencyKey: string | undefined;
  readonly onProgress: CallOptions['onProgress'];
}

export interface Reply extends ReplyHead {
  readonly status: number;
  readonly body: unknown;
}

interface Received {
  readonly response: Response;
  /** Used in place of a text. */
  readonly bytes?: Blob;
  readonly text?: string;
}

function typeOf({ headers }: Response): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Whether the response contains the requested bytes. */
function isBytes({ contentTypes = [] }: AnyOperation, response: Response): boolean {
  return response.ok && contentTypes.includes(typeOf(response));
}

function bodyOf(
  { body, headers }: PreparedRequest,
  report: CallOptions['onProgress'],
): ReportingBody {
  const finish = () => undefined;
  if (body === undefined) return { init: {}, finish };
  if (report === undefined || typeof body === 'string') return { init: { body }, finish };
  return reportingBody(body, headers, report);
}

/** Sends one request under the caller's signals and the time-out. Its listeners are removed at the end. */
async function exchange(
  operation: AnyOperation,
  request: PreparedRequest,
  sending: Sending,
): Promise<Received> {
  const ending = new AbortController();
  const follow = () => ending.abort();
  const { timeoutMs } = sending.retry;
  const late = () => ending.abort(new Error(`no complete response within ${timeoutMs} ms`));
  const body = bodyOf(request, sending.onProgress);
  const timer = timeoutMs > 0 ? setTimeout(late, Math.min(timeoutMs, longestTimerMs)) : undefined;
  for (const signal of sending.signals) signal.addEventListener('abort', follow);
  try {
    const response = await sending.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      signal: ending.signal,
      // A followed redirect turns POST into GET: never follow one, report it instead.
      redirect: 'manual',
      credentials: 'omit',
      ...body.init,
    });
    if (response.ok) body.finish();
    if (isBytes(operation, response)) return { response, bytes: await response.blob() };
    return { response, text: await response.text() };
  } finally {
    clearTimeout(timer);
    for (const signal of sending.signals) signal.removeEventListener('abort', follow);
  }
}

function throwIfAborted(signals: readonly AbortSignal[]): void {
  for (const signal of signals) signal.throwIfAborted();
}

function headOf(headers: Headers, attempts: number): ReplyHead {
  return {
    headers,
    etag: headers.get('etag') ?? undefined,
    location: headers.get('location') ?? undefined,
    request_id: headers.get('x-request-id') ?? undefined,
    replayed: headers.get('idempotency-replayed') === 'true',
    attempts,
  };
}

/**
 * Throws an error for JSON that breaks off: it came from the service and was cut on the way, so the call may be
 * retried. A page of HTML came from elsewhere.
 */
function checkComplete(response: Response, text: string | undefined): void {
  const isJson = /^application\/(?:problem\+)?json$/.test(typeOf(response));
  if (isJson && text !== undefined && response.status !== 204 && parseJson(text) === undefined)
    throw new Error('the response is not complete');
}

/** Returns the reply for a success of the service, or a problem for anything else. */
function interpret(
  name: OperationName,
  { response, bytes, text = '' }: Received,
  attempts: number,
): Reply | ProblemError {
  const { status, headers } = response;
  checkComplete(response, bytes === undefined ? text : undefined);
  if (!response.ok) return problemOf(name, response, text);
  const head = headOf(headers, attempts);
  if (status === 204) return { ...head, status, body: undefined };
  const body = bytes ?? (typeOf(response) === 'application/json' ? parseJson(text) : undefined);
  return body === undefined ? gatewayProblem(name, response, text) : { ...head, status, body };
}

async function attempt(
  operation: AnyOperation,
  request: PreparedRequest,
  sending: Sending,
  attempts: number,
): Promise<Reply | ProblemError> {
  const name = operation.name as OperationName;
  try {
    return interpret(name, await exchange(operation, request, sending), attempts);
  } catch (error) {
    throwIfAborted(sending.signals);
    return networkProblem(name, new URL(request.url).origin, error);
  }
}

/**
 * Deletions that answer 404 when they are repeated. Others, such as the revocation of a token, answer 204 again: there
 * 404 means that the id is wrong, and that nothing was revoked.
 */
const leavesNothing: ReadonlySet<string> = new Set([
  'unfollow',
  'deleteComment',
  'deleteEdge',
  'deleteExport',
] satisfies OperationName[]);

/**
 * Whether a deletion has happened: an earlier attempt may have had its effect, and now there is nothing to delete.
 */
function isDeleted(operation: AnyOperation, { source, problem }: ProblemError): boolean {
  const { method, answers, name } = operation;
  if (method !== 'DELETE' || !(204 in answers) || source !== 'service') return false;
  return problem.name === 'gone' || (problem.name === 'not-found' && leavesNothing.has(name));
}

/**
 * Sends a call until it succeeds or no retry can help.
 * @throws ProblemError; the reason of an aborted signal
 */
export async function send(
  operation: AnyOperation,
  request: PreparedRequest,
  sending: Sending,
): Promise<Reply> {
  const repeatable = isRepeatable(operation, sending.idempotencyKey);
  let outcomeUnknown = false;
  for (let attempts = 1; ; attempts += 1) {
    throwIfAborted(sending.signals);
    const result = await attempt(operation, request, sending, attempts);
    if (!(result instanceof ProblemError)) return result;
    if (outcomeUnknown && isDeleted(operation, result))
      return { ...headOf(result.headers ?? new Headers(), attempts), status: 204, body: undefined };
    outcomeUnknown ||= isOutcomeUnknown(result);
    const wait = waitBefore(result, { attempts, repeatable }, sending.retry);
    if (wait === undefined) throw Object.assign(result, { attempts, outcomeUnknown });
    await pause(wait, sending.signals);
  }
}
