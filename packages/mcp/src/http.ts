// The tool host over streamable HTTP: each request carries its caller's token, and nothing else identifies a caller.
import { createServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  InMemoryServerEventBus,
  isLegacyRequest,
  originValidationResponse,
  ProtocolError,
} from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { createHost } from './host.ts';
import { limitInFlight } from './in-flight.ts';
import { httpLimits } from './limits.ts';
import type { HttpLimits } from './limits.ts';
import { logError } from './log.ts';
import { clientFor } from './service.ts';
import { openSessions } from './sessions.ts';
import type { HttpSettings, Settings } from './settings.ts';
import {
  collectReports,
  logUnlessLeft,
  messageIn,
  refuseUnaddressed,
  shortenTarget,
} from './strangers.ts';
import { countStreams, untilEnd } from './streams.ts';
import type { OpenStream } from './streams.ts';
import { createSubscriptions, listenedBy } from './subscriptions.ts';
import type { Listen, Subscriptions } from './subscriptions.ts';
import { toolsFor } from './tools/tasks.ts';
import type { Caller } from './tools/tool.ts';

const path = '/mcp';

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } };
  return Response.json(body, { status, headers });
}

const challenge = {
  'www-authenticate': 'Bearer realm="colophon", error="invalid_token"',
};

/** Returns the token of a request, undefined for an anonymous one, or the refusal of a header that is malformed. */
function tokenOf(request: Request): string | undefined | Response {
  const field = request.headers.get('authorization');
  if (field === null) return undefined;
  const [, token] = /^Bearer +([\x21-\x7e]+)$/i.exec(field) ?? [];
  return token ?? refuse(401, 'Send the token as Authorization: Bearer <token>.', challenge);
}

/** Refuses what reaches this address by a name or from a page that it does not serve, and tokens in a URL. */
function checkRequest(request: Request, { hosts, origins }: HttpSettings): Response | undefined {
  const { pathname, search } = new URL(request.url);
  if (pathname !== path) return refuse(404, `The tool host is at ${path}.`);
  if (search !== '')
    return refuse(400, 'Send no query. A token belongs in Authorization: Bearer, never in a URL.');
  return (
    hostHeaderValidationResponse(request, [...hosts]) ??
    originValidationResponse(request, [...origins])
  );
}

interface Serving {
  readonly callerOf: (token: string | undefined) => Caller;
  readonly host: (caller: Caller) => ReturnType<typeof createHost>;
  /** Ends when the server stops. */
  readonly ending: AbortSignal;
  readonly limits: HttpLimits;
  readonly openStream: OpenStream;
}

/** Adds what a request names; returns the answer to a caller that cannot subscribe to it. */
async function refusedBy(
  subscriptions: Subscriptions,
  { id, uris }: Listen,
): Promise<Response | undefined> {
  try {
    await subscriptions.add(id, uris);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } });
  }
}

interface Exchange {
  readonly request: Request;
  readonly caller: Caller;
  readonly handler: McpHttpHandler;
}

/** Watches events for a subscriptions/listen request until its stream ends. */
async function serveListen(
  { request, caller, handler }: Exchange,
  ending: AbortSignal,
): Promise<Response> {
  const close = (error?: unknown) => {
    if (error instanceof Error) logError(error);
    handler.close().catch(logError);
  };
  const report = (uri: string) => handler.notify.resourceUpdated(uri);
  const subscriptions = createSubscriptions(caller.client, report, close);
  const over = new AbortController();
  const finish = () => {
    subscriptions.stop();
    over.abort();
  };
  for (const signal of [ending, request.signal])
    signal.addEventListener('abort', finish, { once: true, signal: over.signal });
  ending.addEventListener('abort', () => close(), { once: true, signal: over.signal });
  try {
    const message = await messageIn(request);
    const listen = message === undefined ? undefined : listenedBy(message);
    const refusal = listen === undefined ? undefined : await refusedBy(subscriptions, listen);
    return untilEnd(refusal ?? (await handler.fetch(request)), finish);
  } catch (error) {
    finish();
    throw error;
  }
}

/** Serves one request of revision 2026-07-28, with a bus of its own: no event of a caller reaches another. */
async function serveModern(
  request: Request,
  token: string | undefined,
  { callerOf, host, ending, limits, openStream }: Serving,
): Promise<Response> {
  const caller = callerOf(token);
  const { onerror, answered } = collectReports();
  const bus = new InMemoryServerEventBus(logError);
  const handler = createMcpHandler(() => host(caller), {
    legacy: 'reject',
    bus,
    maxRequestBodySize: limits.requestBytes,
    onerror,
  });
  if (request.headers.get('mcp-method') !== 'subscriptions/listen')
    return answered(() => handler.fetch(request));
  const listen = () => serveListen({ request, caller, handler }, ending);
  return answered(() => openStream(token, listen));
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
}

async function listen(server: HttpServer, { host, port }: HttpSettings): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Listens for requests of both revisions. The settings contain no token: every request brings its own. */
export async function serveHttp(
  settings: Settings,
  http: HttpSettings,
  limits = httpLimits,
): Promise<Listening> {
  const tools = toolsFor(settings.choice);
  const stopping = new AbortController();
  const serving: Serving = {
    callerOf: (token) => ({
      client: clientFor(settings.baseUrl, token),
      isAnonymous: token === undefined,
    }),
    host: (caller) => createHost({ caller, tools }),
    ending: stopping.signal,
    limits,
    openStream: countStreams(limits),
  };
  const { requestBytes: maxRequestBodySize } = limits;
  const sessions = openSessions(serving);
  const fetch = async (request: Request): Promise<Response> => {
    const token = tokenOf(request);
    const refusal = checkRequest(request, http) ?? (token instanceof Response ? token : undefined);
    if (refusal !== undefined || token instanceof Response) return refusal ?? refuse(401, '');
    const isOld = await isLegacyRequest(request, undefined, { maxRequestBodySize });
    return isOld
      ? sessions.fetch(request, { token, callerOf: serving.callerOf })
      : serveModern(request, token, serving);
  };
  const answer = toNodeHandler({ fetch }, { onerror: logUnlessLeft, maxRequestBodySize });
  const server = createServer((request, response) => {
    if (request.socket.destroyed) return;
    shortenTarget(request);
    if (refuseUnaddressed(request, response)) return;
    answer(request as NodeIncomingMessageLike, response).catch(logError);
  });
  server.maxConnections = limits.connections;
  limitInFlight(server);
  const port = await listen(server, http);
  const name = http.host.includes(':') ? `[${http.host}]` : http.host;
  return {
    url: `http://${name}:${port}${path}`,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await sessions.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
