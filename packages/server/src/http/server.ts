// The HTTP server: Fastify with the settings, headers and hooks of the kernel.
import compress from '@fastify/compress';
import Fastify from 'fastify';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  RouteOptions,
} from 'fastify';
import type { AnyOperation } from '@colophon/contract';
import type { Config } from '#config';
import { maskTokens } from '@colophon/text/lib/token-text';
import type { Traces } from '#tracing';
import { bufferedAnswers } from './buffered.ts';
import {
  brotliOptions,
  codings,
  compressedFrom,
  compressible,
  openCodedBytes,
} from './coded-answers.ts';
import { clientErrors } from './parser-errors.ts';
import { openConnections } from './connections/index.ts';
import type { Bounds, Connections, SharedConnections } from './connections/index.ts';
import { corsHeaders, isApi, preflightHeaders } from './cors.ts';
import { checkFraming, targetPath } from './framing.ts';
import { drainRequestBody } from './drain-request-body.ts';
import { serverMaker } from './listeners.ts';
import { mediaOrigin } from './media-origin.ts';
import { allowedMethods } from './paths.ts';
import type { AllowedMethods } from './paths.ts';
import { isProblem, problem } from './problem.ts';
import type { Problem } from './problem.ts';
import { openRefusalLog } from './refusal-log.ts';
import type { RefusalLog } from './refusal-log.ts';
import { requestIdOf } from './request-id.ts';
import { noindex, sendProblem } from './respond.ts';
import type { ProblemPage } from './respond.ts';
import { traceRequests } from './trace-requests.ts';
import { unavailable } from './unavailable.ts';

/** The log of the kernel; pino fits. */
export interface Log {
  readonly info: (fields: object, text: string) => void;
  readonly warn: (fields: object, text: string) => void;
  readonly error: (fields: object, text: string) => void;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Log;
  /** Every path, of operations and others, for `Allow`. */
  readonly routes: readonly Pick<AnyOperation, 'method' | 'path'>[];
  /** Renders a problem as a page, for requests that prefer one. */
  readonly problemPage?: ProblemPage;
  /** Shorter times and smaller sizes, for tests. */
  readonly bounds?: Partial<Bounds>;
  /** Counts connections together with the other processes of this host. */
  readonly host?: SharedConnections | undefined;
  /** undefined: no request is traced. */
  readonly traces?: Traces | undefined;
}

type Always = ReturnType<typeof alwaysOn>;
type MakeServer = ReturnType<typeof serverMaker>['make'];

function fastify(
  { config, problemPage, routes }: ServerOptions,
  always: Always,
  makeServer: MakeServer,
): FastifyInstance {
  const onMediaOrigin = mediaOrigin(config);
  return Fastify({
    logger: false,
    serverFactory: makeServer,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: false,
    exposeHeadRoutes: true,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestIdHeader: false,
    genReqId: requestIdOf as (message: unknown) => string,
    // Queries are parsed by `input/query.ts`, after it has looked at their length.
    routerOptions: { maxParamLength: 500, querystringParser: () => ({}) },
    clientErrorHandler: clientErrors(config, allowedMethods(routes)) as never,
    rewriteUrl: (message) => onMediaOrigin(targetPath(message.url ?? '/'), message.headers.host),
    frameworkErrors: (error, request, reply) => {
      always(request, reply);
      void sendProblem(request, reply, unroutable(error.code), { ...config, problemPage });
    },
  });
}

/** Returns the problem for a request that the router itself rejects. */
function unroutable(code: string): Problem {
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return problem('not-found', 'No object has this id. Ids have 26 characters.');
  }
  return problem('invalid-request', 'The path is not percent-encoded UTF-8. Encode it again.');
}

/** Memory for the public answers that are read most, compressed. */
const codedBytesMax = 16 * 1024 * 1024;

/**
 * Media types that GET never compresses. It compresses more than `compressible`, because the plug-in adds a list of
 * its own: plain text, scripts, JSON-LD, SVG, icons.
 */
const incompressible =
  /^(?:image\/(?:avif|gif|jpeg|png|webp)|audio\/|video\/|font\/woff|application\/(?:octet-stream|pdf|zip))/;

/** Whether GET may compress this answer, to a length that is unknown for HEAD. */
function mayCompress(request: FastifyRequest, reply: FastifyReply): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return (
    /br|gzip|\*/i.test(accepted) &&
    !incompressible.test(String(reply.getHeader('content-type') ?? '')) &&
    Number(reply.getHeader('content-length')) >= compressedFrom
  );
}

/**
 * Removes a wrong Content-Length from answers to HEAD. Fastify's HEAD routes set it in their last hook: 0 for
 * a 304, and the length before compression. It must be that of the GET or be missing (RFC 9110 section 8.6):
 * a cache applies it to the stored response.
 */
function omitUnknownLength(route: RouteOptions): void {
  if (route.method !== 'HEAD') return;
  const omit: onSendHookHandler = (request, reply, payload, done) => {
    if (reply.statusCode === 304 || mayCompress(request, reply))
      void reply.removeHeader('content-length');
    done(null, payload);
  };
  route.onSend = [route.onSend ?? [], omit].flat();
}

/**
 * Returns a function that sets the headers of every response. API responses are not indexed by search
 * engines: people see pages instead.
 */
function alwaysOn({ deployment }: Config) {
  const common = deployment === 'staging' ? noindex : {};
  const api = { ...corsHeaders, ...noindex };
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      ...(isApi(request.url.split('?')[0] ?? '') ? api : common),
    });
  };
}

/** Returns the problem for a thrown error; an unexpected error is logged once, with its request id. */
function problemOf(
  error: unknown,
  request: FastifyRequest,
  { log, refusals }: { readonly log: Log; readonly refusals: RefusalLog },
): Problem {
  // Authentication queries the database before any operation does.
  const known = isProblem(error) ? error : unavailable(error);
  if (known !== undefined) {
    if (known.problem === 'unavailable') refusals.add(request.id, known.cause);
    return known;
  }
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code.startsWith('FST_') && statusCode < 500) {
    return problem('invalid-request', `The message cannot be read: ${(error as Error).message}.`);
  }
  const path = maskTokens(request.url.split('?')[0] ?? '');
  log.error({ request_id: request.id, error, path }, 'A request failed with an internal error.');
  return problem(
    'internal-error',
    'The server failed. Retry with the same Idempotency-Key. If it fails again, report the request_id.',
  );
}

/** The parser knows the method PRI and the router does not. Then no hook has run. */
const isUnroutedMethod = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === 'FST_ERR_NOT_FOUND';

function notFound(allowed: AllowedMethods, { config, problemPage }: ServerOptions, always: Always) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    always(request, reply);
    const path = request.url.split('?')[0] ?? '';
    const methods = allowed(path);
    if (methods.length > 0) void reply.header('allow', methods.join(', '));
    if (request.method === 'OPTIONS' && methods.length > 0) {
      return reply
        .headers(isApi(path) ? preflightHeaders(methods) : {})
        .code(204)
        .send();
    }
    const detail =
      methods.length > 0
        ? `This path does not support ${request.method}. It supports ${methods.join(', ')}.`
        : 'This path does not exist. GET /v1/openapi.json lists every path.';
    return sendProblem(request, reply, problem('not-found', detail), { ...config, problemPage });
  };
}

/** The only answer on a connection beyond the limit, which is closed after it. */
function tooManyConnections({ limits }: Config): Problem {
  const detail =
    `Your network address has more than ${limits.connectionsPerAddress} connections open. ` +
    'Close some, or send several requests one after the other on each.';
  return problem('rate-limited', detail, { retry_after_seconds: 1 }, { connection: 'close' });
}

/** Stops the server in order: it accepts what waits, then answers each request that arrives during the drain time. */
export async function closeServer(app: FastifyInstance): Promise<void> {
  await app.getDecorator<Connections>('connections').acceptWaiting();
  await app.close();
}

/** Creates the server; operations and other routes are added before it listens. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, log, problemPage } = options;
  const always = alwaysOn(config);
  const connections = openConnections(config, options.bounds, options.host);
  const { servers, make } = serverMaker(config, connections);
  const app = fastify(options, always, make);
  // The kernel reads bodies after the caller is known, so that no body is buffered for an unknown client.
  for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY']) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  // First, so that everything after it is in the span.
  if (options.traces !== undefined) traceRequests(app, options.traces, config);
  app.addHook('onRoute', omitUnknownLength);
  app.decorateRequest('charge', undefined);
  app.decorate('connections', connections);
  app.decorate('codedBytes', openCodedBytes(codedBytesMax));
  const refusals = openRefusalLog(log);
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    await connections.drain(servers);
  });
  app.addHook('onClose', async () => {
    refusals[Symbol.dispose]();
    connections[Symbol.dispose]();
  });
  app.addHook('onRequest', (request, reply, done) => {
    always(request, reply);
    checkFraming(request.raw, request.originalUrl);
    const isRefused = connections.isRefused(request.raw);
    const answer = (refused: boolean) => done(refused ? tooManyConnections(config) : undefined);
    if (typeof isRefused === 'boolean') answer(isRefused);
    else void isRefused.then(answer);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // This includes requests from before the stop: a connection kept alive after it would delay the stop by
    // seconds.
    if (stopping) void reply.header('connection', 'close');
    drainRequestBody(request, reply);
    done(null, payload);
  });
  app.addHook('onSend', bufferedAnswers(connections, always));
  const answerNotFound = notFound(allowedMethods(options.routes), options, always);
  app.setErrorHandler((error, request, reply) => {
    if (isUnroutedMethod(error)) return answerNotFound(request, reply);
    const answered = problemOf(error, request, { log, refusals });
    return sendProblem(request, reply, answered, { ...config, problemPage });
  });
  app.setNotFoundHandler(answerNotFound);
  await app.register(compress, {
    threshold: compressedFrom,
    encodings: [...codings],
    globalDecompression: false,
    brotliOptions,
    customTypes: compressible,
  });
  return app;
}
