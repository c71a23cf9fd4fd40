// createClient: one method for each operation of the contract, generated from its table.
import type { CallOptions, Page, RetryOptions } from './call-options.ts';
import type { Client, EventsOptions, EventStream } from './client-type.ts';
import { checkCallOptions, checkClientOptions, checkEventsOptions } from './check-input.ts';
import { cursorOf, operationList, operations } from './contract.ts';
import type { AnyOperation } from './contract.ts';
import { longestWait, startEvents } from './events.ts';
import { inputError } from './input-error.ts';
import { entriesOf, prepare } from './request.ts';
import type { ClientSettings } from './request.ts';
import { completeRetry, retryDefaults } from './retry.ts';
import type { Retry } from './retry.ts';
import { send } from './send.ts';
import type { Reply } from './send.ts';
import type { Event } from './types.ts';

export interface ClientOptions {
  /** The URL of the service: `https://example.org`, with a path if the service has one. */
  readonly baseUrl: string;
  /** Sent to this URL only. Without a token, the client is anonymous. */
  readonly token?: string | undefined;
  /** Used in place of the global one. */
  readonly fetch?: typeof fetch | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Cancels every call of this client. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as User-Agent. Not in browsers, which send their own. */
  readonly userAgent?: string | undefined;
}

/** Milliseconds in addition to the wait of a poll. */
const answerMs = 15_000;

type Input = Readonly<Record<string, unknown>>;
type Call = (input?: Input, options?: CallOptions) => Promise<Reply>;

function baseOf(address: string): string {
  if (!URL.canParse(address))
    throw inputError(
      // What stands before an @ can be a password.
      `baseUrl must be an address such as https://colophon.example${address.includes('@') ? '.' : `, not: ${address}`}`,
    );
  const { protocol, origin, pathname, username, password } = new URL(address);
  if (!/^https?:$/.test(protocol) || username + password !== '') {
    throw inputError(
      'baseUrl must be an http or https address without a user name and a password.',
    );
  }
  const path = pathname.replace(/(?<!\/)\/+$/, '');
  // The address that people copy from a request. Every call would answer that its path does not exist.
  if (path.endsWith('/v1'))
    throw inputError('baseUrl ends with /v1, which the client adds itself: leave it out.');
  return origin + path;
}

/** Throws an error without the token: the error of Headers would print it. */
function checkToken(token: unknown): string | undefined {
  if (token === undefined) return token;
  if (typeof token !== 'string')
    throw inputError('token must be a string; leave it out for an anonymous client.');
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  if (/^bearer /i.test(token))
    throw inputError('token must be the token alone, without “Bearer ” before it.');
  throw inputError(
    'The token contains characters that a token cannot have. Check that it was copied completely and without other text.',
  );
}

/** The service lets an upload take ten minutes, and a large file takes as long to arrive. */
const bytesMs = 600_000;

function retryOf({ upload, contentTypes }: AnyOperation, { retry }: ClientOptions): Retry {
  const isBytes = upload !== undefined || contentTypes !== undefined;
  return completeRetry(retry, isBytes ? { ...retryDefaults, timeoutMs: bytesMs } : retryDefaults);
}

/** Returns the function that calls one operation. */
function createCall(
  operation: AnyOperation,
  settings: ClientSettings,
  options: ClientOptions,
): Call {
  const retry = retryOf(operation, options);
  const fetcher = options.fetch ?? globalThis.fetch;
  return async (input = {}, callOptions = {}) => {
    checkCallOptions(callOptions, operation.name);
    const idempotencyKey =
      operation.idempotency === undefined
        ? undefined
        : (callOptions.idempotencyKey ?? crypto.randomUUID());
    const request = prepare(operation, settings, { input, options: callOptions, idempotencyKey });
    const signals = [options.signal, callOptions.signal].filter((signal) => signal !== undefined);
    // Called as a plain function, because a browser's fetch throws when it is called as a method of another
    // object.
    return send(operation, request, {
      fetch: (...args) => fetcher(...args),
      retry,
      signals,
      idempotencyKey,
      onProgress: operation.upload === undefined ? undefined : callOptions.onProgress,
    });
  };
}

function isList(operation: AnyOperation): boolean {
  return Object.values(operation.answers).some((answer) => {
    const { properties } = (answer ?? {}) as { properties?: object };
    return properties !== undefined && 'next_cursor' in properties;
  });
}

/** Requests a page only when its first item is needed. */
async function* items(
  { call, operation }: { readonly call: Call; readonly operation: AnyOperation },
  input: Input = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const parameter = cursorOf(operation);
  let cursor = Object.fromEntries(entriesOf(operation, input))[parameter];
  do {
    const { body } = await call({ ...input, [parameter]: cursor }, options);
    const page = body as Page<unknown>;
    yield* page.items;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

/**
 * Creates a client of the service at `baseUrl`. Its methods are the operations of the contract. Their first
 * argument contains path, query and body members side by side, the second one is CallOptions. They return the
 * body; `withResponse` has the same methods with status and headers, `each` the lists as async generators.
 * `events` follows the events of the participant across restarts and lost connections.
 *
 * One Idempotency-Key is generated for each call of an operation that takes one, and reused for its retries.
 * The client retries retryable problems (except `conflict`, which requires a fresh read) and lost
 * connections: reads, deletions and calls with a key always, others only when the service did nothing. A deletion
 * whose response was lost has succeeded when the retry finds nothing to delete.
 * RetryOptions sets how often and how long; a problem that requires a wait over `longestWaitMs` is thrown
 * immediately.
 *
 * @throws TypeError for options that are missing or wrong; its message says what to pass. Methods throw ProblemError for
 * every problem and every failure of the network, the reason of an aborted signal, and TypeError for input that cannot
 * be sent.
 */
export function createClient(options: ClientOptions): Client {
  checkClientOptions(options);
  const settings: ClientSettings = {
    baseUrl: baseOf(options.baseUrl),
    token: checkToken(options.token),
    userAgent: options.userAgent,
  };
  const withResponse: Record<string, Call> = {};
  const each: Record<
    string,
    (input?: Input, callOptions?: CallOptions) => AsyncGenerator<unknown, void, undefined>
  > = {};
  const methods: Record<string, (input?: Input, callOptions?: CallOptions) => Promise<unknown>> =
    {};
  for (const operation of operationList) {
    const call = createCall(operation, settings, options);
    withResponse[operation.name] = call;
    methods[operation.name] = async (input, callOptions) => (await call(input, callOptions)).body;
    const list = { call, operation };
    if (isList(operation))
      each[operation.name] = (input, callOptions) => items(list, input, callOptions);
  }
  const events = (eventsOptions: EventsOptions = {}): EventStream =>
    eventsOf(settings, options, eventsOptions);
  return { ...methods, withResponse, each, events } as unknown as Client;
}

/** Polls until the caller leaves the loop. Temporary failures are retried without a limit on time. */
function eventsOf(
  settings: ClientSettings,
  options: ClientOptions,
  eventsOptions: EventsOptions,
): EventStream {
  checkEventsOptions(eventsOptions);
  const patient = { ...options.retry, attempts: Infinity, longestWaitMs: Infinity };
  const { timeoutMs = retryDefaults.timeoutMs } = patient;
  const longest = (eventsOptions.wait ?? longestWait) * 1000 + answerMs;
  const retry = { ...patient, timeoutMs: timeoutMs === 0 ? 0 : Math.max(timeoutMs, longest) };
  const operation = operations.listEvents as unknown as AnyOperation;
  const call = createCall(operation, settings, { ...options, retry });
  return startEvents(
    async (input, signal) => (await call(input, { signal })).body as Page<Event>,
    eventsOptions,
  );
}
