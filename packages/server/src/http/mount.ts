// Mounts operations on HTTP: authentication, limits, headers and query, body, answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cursorOf, weights } from '@colophon/contract';
import { joinedWork } from '#lib/joined-work';
import type { CompiledOperation } from './compile-operation.ts';
import { reserveAnswer } from './buffered.ts';
import { authorize } from './caller.ts';
import type { Caller } from './caller.ts';
import type { Credentials } from './credentials.ts';
import { findCaller } from './find-caller.ts';
import { acceptBody, declaredBytes, readBody } from './input/body.ts';
import {
  checkBodyIsPlain,
  checkJsonHeaders,
  readIdempotencyKey,
  readPrecondition,
} from './input/headers.ts';
import { openIncoming } from './input/incoming.ts';
import type { Incoming, IncomingBody } from './input/incoming.ts';
import { varyOf } from './input/media-type.ts';
import { readQuery } from './input/query.ts';
import { acceptUpload } from './input/upload.ts';
import type { UploadUnderWay } from './input/uploads-under-way.ts';
import type { Payer } from './long-texts.ts';
import { perform } from './perform.ts';
import type { Kernel, Performed } from './call.ts';
import { problem } from './problem.ts';
import { isAnotherPath, pathOf } from './paths.ts';
import { sendBytes } from './media-bytes.ts';
import type { AddressOf, RateLimiter, RateLimits } from './rate-limits/index.ts';
import { sendAnswer } from './respond.ts';
import { shareOf } from './shared-reads.ts';
import { weigh } from './weight.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Accepted {
  readonly caller: Caller | null;
  readonly query: Record<string, unknown>;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly payer: Payer;
  readonly address: string;
}

/** Precedes the paths at which a session acts with the admin scopes of its account. */
export const deskPrefix = '/-/desk';

/** Authentication and rate limits of requests. */
export interface Entrance {
  readonly credentials: Credentials;
  /** undefined: no limit. */
  readonly rates: RateLimits | undefined;
  readonly addressOf: AddressOf;
  /** What precedes the paths of the operations: sessions have paths of their own. */
  readonly below?: '/-' | typeof deskPrefix;
}

/** What the routes of one entrance share. */
interface RouteContext extends Entrance {
  readonly incoming: Incoming;
  readonly joined: ReturnType<typeof joinedWork>;
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/**
 * Runs every check before the body, in the order of the interface: 401, 429, 403 for state, 403 for scope,
 * 400.
 */
async function accept(
  compiled: CompiledOperation,
  { credentials, rates, addressOf }: Entrance,
  { request, reply }: Exchange,
): Promise<Accepted> {
  const { operation } = compiled;
  const { headers } = request;
  credentials.checkOrigin(operation, headers);
  const anonymous = !credentials.arePresent(headers);
  const limiter = rates?.limiterOf(operation, request.raw, anonymous, (fields) => {
    void reply.headers(fields);
  });
  const address = limiter?.address ?? addressOf(request.raw);
  if (limiter !== undefined) weigh(request, limiter.charge);
  const caller = await findCaller(compiled, request.raw, { credentials, address }, limiter);
  if (caller === null && operation.access !== 'public') throw credentials.missing();
  authorize(operation, caller);
  checkBodyIsPlain(request.raw);
  const idempotencyKey = readIdempotencyKey(operation, single(headers['idempotency-key']));
  const ifMatch = readPrecondition(operation, headers['if-match']);
  const query = readQuery(operation.querySchema, compiled.checkQuery, queryOf(request.url));
  const payer = payerOf(caller, limiter, address);
  return { caller, query, idempotencyKey, ifMatch, payer, address };
}

/**
 * Returns the requester of costly work, which runs one task at a time for each network address, and for each
 * account including its agents.
 */
function payerOf(caller: Caller | null, limiter: RateLimiter | undefined, address: string): Payer {
  const account = caller === null ? undefined : (caller.ownerId ?? caller.id);
  return {
    requester: { address, account },
    spend: async (weight) => limiter?.spend(weight),
    charge: (weight) => {
      if (weight > 0) limiter?.charge(weight);
    },
  };
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(',') : header;
}

function hasBody(request: FastifyRequest): boolean {
  const length = request.headers['content-length'];
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  );
}

const writesOf = (bytes: number) => Math.floor(bytes / weights.bytesPerWrite);

/**
 * Reads the body. A long body is charged by its Content-Length before it is read, so that one that never ends
 * costs as much.
 */
async function bodyOf(
  { text, givingUp }: Kernel,
  compiled: CompiledOperation,
  request: FastifyRequest,
  { requester, spend, incoming }: Payer & { readonly incoming: IncomingBody },
): Promise<unknown> {
  if (compiled.checkBody === undefined) return undefined;
  if (!hasBody(request) && compiled.bodyOptional) return {};
  checkJsonHeaders(request.raw);
  const limit = compiled.operation.bodyLimit;
  const length = declaredBytes(request.raw);
  const declared = length > limit ? 0 : length;
  await spend(writesOf(declared));
  const bytes = await readBody(request.raw, { limit, givingUp, incoming });
  await spend(writesOf(bytes.length) - writesOf(declared));
  return acceptBody(compiled, bytes, { text, requester });
}

/** Returns the bytes of an upload, which count for its sender from here on. */
function bytesOf(
  kernel: Kernel,
  compiled: CompiledOperation,
  request: FastifyRequest,
  uploading: UploadUnderWay,
) {
  const { upload } = compiled.operation;
  if (upload === undefined) return undefined;
  const bytes = acceptUpload(request.raw, upload, kernel);
  uploading.add(bytes.length);
  return bytes;
}

async function answer(
  kernel: Kernel,
  compiled: CompiledOperation,
  context: RouteContext,
  exchange: Exchange,
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  // Under overload a refusal must cost little: not even the caller is looked up.
  kernel.db.requireRoom(compiled.operation.method === 'GET' ? 'read' : 'transaction');
  const accepted = await accept(compiled, context, exchange);
  const { requester } = accepted.payer;
  using uploading = kernel.uploading.open(requester);
  const bytes = bytesOf(kernel, compiled, request, uploading);
  using incoming = context.incoming.open(requester);
  const reading = { ...accepted.payer, incoming };
  const body = bytes === undefined ? await bodyOf(kernel, compiled, request, reading) : undefined;
  const params = request.params as Record<string, string>;
  if (compiled.checkParams(params).length > 0) {
    throw problem('not-found', 'No object has this id. Ids have 26 characters.');
  }
  const gone = () => goneOf(request, reply);
  const mediaTypes = request.headers.accept;
  const performed = await perform(kernel, compiled, {
    ...accepted,
    params,
    body,
    bytes,
    gone,
    reserve: (size) => reserveAnswer(request, reply, size),
    share: shareOf(compiled, { ...accepted, url: request.url, accept: mediaTypes }, context.joined),
    accept: mediaTypes,
    browser: {
      userAgent: request.headers['user-agent'],
      address: accepted.address,
    },
  });
  const session = performed.answer?.session;
  if (session !== undefined) void reply.header('set-cookie', context.credentials.cookieOf(session));
  const served = performed.answer?.bytes;
  if (served !== undefined)
    return await sendBytes(request, reply, served, { store: kernel.store, audience: 'caller' });
  if (compiled.operation.method === 'GET')
    addNext(reply, performed, kernel, { compiled, accepted, params, below: context.below });
  return await sendAnswer(request, reply, performed, {
    baseUrl: kernel.config.baseUrl,
    // The paths of sessions depend on the cookie.
    anonymous: accepted.caller === null && context.below === undefined,
    vary: varyOf(compiled.operation),
  });
}

/**
 * Returns a signal that is aborted when the connection ends before the answer was sent, or when the client
 * has closed its sending side: it may have disconnected, or it may still read, so an answer that waits for
 * something must be sent now.
 */
function goneOf({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort();
  if (raw.destroyed || socket.destroyed || socket.readableEnded) {
    leave();
    return gone.signal;
  }
  // A pipelined response gets no event when its connection closes.
  socket.once('end', leave).once('close', leave);
  raw.once('close', () => {
    socket.off('end', leave).off('close', leave);
    leave();
  });
  return gone.signal;
}

/** Adds Link: rel="next" (RFC 8288) to a page if another one follows. */
function addNext(
  reply: FastifyReply,
  { answer: answered }: Performed,
  { config }: Kernel,
  list: {
    readonly compiled: CompiledOperation;
    readonly accepted: Accepted;
    readonly params: Readonly<Record<string, string>>;
    readonly below: string | undefined;
  },
): void {
  const page = answered?.body as { next_cursor?: string | null } | undefined;
  const cursor = page?.next_cursor;
  if (cursor === undefined || cursor === null) return;
  const { operation } = list.compiled;
  const query = new URLSearchParams(
    Object.entries({ ...list.accepted.query, [cursorOf(operation)]: cursor }).map(
      ([name, value]) => [name, String(value)],
    ),
  );
  const path = `${list.below ?? ''}${pathOf(operation.path, list.params)}`;
  void reply.header('link', `<${config.baseUrl}${path}?${query.toString()}>; rel="next"`);
}

/** Adds the routes of all operations; `{id}` becomes `:id`. */
export function mount(
  app: FastifyInstance,
  kernel: Kernel,
  compiled: readonly CompiledOperation[],
  entrance: Entrance,
): void {
  const context = { ...entrance, incoming: openIncoming(), joined: joinedWork() };
  for (const one of compiled) {
    const { operation } = one;
    app.route({
      method: operation.method,
      url: `${entrance.below ?? ''}${operation.path}`.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) =>
        isAnotherPath(request)
          ? reply.callNotFound()
          : answer(kernel, one, context, { request, reply }),
    });
  }
}
