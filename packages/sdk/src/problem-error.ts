// Problems (RFC 9457) as errors: those of the service, and those that the client makes itself.
import { problemNames, problems } from './contract.ts';
import type { OperationName, ProblemName } from './types.ts';

/** One fault in a body or a query; `pointer` is an RFC 6901 pointer. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly allowed_values?: readonly unknown[];
}

/** A problem document with its name. Members that a problem does not have are undefined. */
export interface ProblemDocument {
  /** The last segment of `type`. Compare this to distinguish problems. */
  readonly name: ProblemName;
  readonly type: string;
  readonly title: string;
  /** The status of the response; 0 when none arrived. */
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly request_id?: string;
  readonly retry_after_seconds?: number;
  /** validation-failed and invalid-request: all faults at once. */
  readonly errors?: readonly Fault[];
  readonly required_scopes?: readonly string[];
  readonly held_scopes?: readonly string[];
  /** precondition-failed: the current revision, to base a new one on. */
  readonly current_revision_id?: string;
  /** gone, unavailable-for-legal-reasons. */
  readonly removed_at?: string;
  readonly reason_code?: string;
  /** quota-exceeded: the allowance that is used up. */
  readonly quota?: {
    readonly action: string;
    readonly limit: number;
    readonly remaining: number;
    readonly window: string;
    readonly reset_at: string;
  };
  readonly [member: string]: unknown;
}

/**
 * The origin of the problem: `service` the service itself, `gateway` an intermediary whose response was not a
 * problem document, `network` the client, because no complete response arrived.
 */
export type ProblemSource = 'service' | 'gateway' | 'network';

interface Origin {
  readonly operation: OperationName;
  readonly source: ProblemSource;
  readonly headers?: Headers;
  readonly cause?: unknown;
}

/**
 * The error that every method of the client throws, apart from the reason of an aborted signal and TypeError.
 */
export class ProblemError extends Error {
  readonly problem: ProblemDocument;
  readonly operation: OperationName;
  readonly source: ProblemSource;
  /** The headers of the last response; undefined when none arrived. */
  readonly headers: Headers | undefined;
  /** The number of requests sent. */
  attempts = 1;
  /**
   * Whether an attempt ended without a response of the service, so its effect may have happened: a later
   * `gone` for a deletion may be the result of your own request. With an Idempotency-Key a retry shows the
   * outcome.
   */
  outcomeUnknown = false;

  constructor(problem: ProblemDocument, origin: Origin) {
    const said = `${origin.operation}: ${problem.name}: ${problem.detail ?? problem.title}`;
    super(said, origin.cause === undefined ? {} : { cause: origin.cause });
    this.problem = problem;
    this.operation = origin.operation;
    this.source = origin.source;
    this.headers = origin.headers;
  }

  override get name(): string {
    return 'ProblemError';
  }

  /** Whether the same request can succeed later. For `conflict`, read the resource again first. */
  get retryable(): boolean {
    const { name, status } = this.problem;
    if (this.source === 'gateway') return status === 429 || status >= 500;
    if (isRefusedPort(this.cause)) return false;
    return problems[name].retryable;
  }
}

/** Whether an error is a problem, and has the given name if one is given. */
export function isProblem(error: unknown): error is ProblemError;
export function isProblem<N extends ProblemName>(
  error: unknown,
  name: N,
): error is ProblemError & { readonly problem: ProblemDocument & { readonly name: N } };
export function isProblem(error: unknown, name?: ProblemName): boolean {
  return error instanceof ProblemError && (name === undefined || error.problem.name === name);
}

/** Returns the problem name of a type. An unknown type is treated as the closest known one. */
function nameOf(type: string, status: number): ProblemName {
  const last = type.slice(type.lastIndexOf('/') + 1);
  const known = problemNames.find((name) => name === last);
  if (known !== undefined) return known;
  const same = problemNames.find((name) => problems[name].status === status);
  return same ?? (status >= 500 ? 'internal-error' : 'invalid-request');
}

/** Returns the seconds of a Retry-After field (RFC 9110 section 10.2.3), in either of its forms. */
function retryAfter(headers: Headers): number | undefined {
  const field = headers.get('retry-after');
  if (field === null) return undefined;
  if (/^\d{1,9}$/.test(field)) return Number(field);
  const until = Date.parse(field);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

function isDocument(value: unknown): value is Record<string, unknown> & { readonly type: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { type?: unknown }).type === 'string'
  );
}

/** Parses JSON; returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the error for a response that is not a success. A response without a problem document is attributed
 * to a gateway.
 */
export function problemOf(
  operation: OperationName,
  response: Response,
  text: string,
): ProblemError {
  const { status, headers } = response;
  const isJson = headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  const document = isJson ? parseJson(text) : undefined;
  if (!isDocument(document)) return gatewayProblem(operation, response, text);
  const { retry_after_seconds: named, ...members } = document;
  const wait = typeof named === 'number' && named >= 0 ? named : retryAfter(headers);
  const problem = {
    title: '',
    ...members,
    ...(wait === undefined ? {} : { retry_after_seconds: wait }),
    status,
    name: nameOf(document.type, status),
  };
  return new ProblemError(problem, { operation, source: 'service', headers });
}

const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Returns the problem of a response that the service did not write: `unavailable` if it may be temporary,
 * else `internal-error`.
 */
export function gatewayProblem(
  operation: OperationName,
  response: Response,
  text: string,
): ProblemError {
  const { status, headers } = response;
  const wait = retryAfter(headers);
  const requestId = headers.get('x-request-id');
  const begin = text.trim().slice(0, 200);
  const target = headers.get('location');
  const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  const problem: ProblemDocument = {
    name: passing.has(status) ? 'unavailable' : 'internal-error',
    type: 'about:blank',
    title: 'The response is not from the service',
    status,
    detail: isRedirect
      ? `The address redirects${target === null ? '' : ` to ${target}`}: use the final address as baseUrl.`
      : `The service does not send responses with status ${status} like this one. Check baseUrl and ` +
        `the proxies between you and the service.${begin === '' ? '' : ` The response begins: ${begin}`}`,
    ...(requestId === null ? {} : { request_id: requestId }),
    ...(wait === undefined ? {} : { retry_after_seconds: wait }),
  };
  return new ProblemError(problem, { operation, source: 'gateway', headers });
}

/** Whether `fetch` sent nothing, because it never calls the port of the address (Fetch standard, “bad port”). */
export function isRefusedPort(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message === 'bad port';
}

/** Returns the problem of a response that did not arrive completely: `unavailable` with status 0. */
export function networkProblem(
  operation: OperationName,
  address: string,
  cause: unknown,
): ProblemError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why = inner instanceof Error ? inner.message || inner.name : String(inner);
  const problem: ProblemDocument = {
    name: 'unavailable',
    type: 'about:blank',
    title: 'No response',
    status: 0,
    detail: isRefusedPort(cause)
      ? `Nothing was sent to ${address}: browsers and fetch never call this port. Check the port of the address; a service that listens there needs another one.`
      : `No response from ${address} (${why}). Check the address, the network, and that the service runs.`,
  };
  return new ProblemError(problem, { operation, source: 'network', cause });
}
