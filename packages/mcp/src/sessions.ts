// Sessions of revision 2025-11-25, which deliver notifications. A session is not a credential: each request carries the
// token with which the session began.
import {
  isInitializeRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/server';
import { acceptSubscriptions } from './host.ts';
import type { HttpLimits } from './limits.ts';
import { logError } from './log.ts';
import { overloadedResponse, untilEnd } from './streams.ts';
import type { OpenStream } from './streams.ts';
import type { Caller } from './tools/tool.ts';

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly token: string | undefined;
  usedAt: number;
  /** Streams and other answers that have not ended. */
  unended: number;
}

/** Whose request it is. */
interface Requester {
  readonly token: string | undefined;
  readonly callerOf: (token: string | undefined) => Caller;
}

export interface Sessions {
  fetch(request: Request, requester: Requester): Promise<Response>;
  close(): Promise<void>;
}

/** A session ends when it is not used, and when the tool host starts again: the client begins another one. */
const unknownSession = () => {
  const message =
    'Session not found: it has ended, or it began with another token. Send initialize without Mcp-Session-Id, ' +
    'and continue in the session that its answer names.';
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32_001, message } },
    { status: 404 },
  );
};

async function isInitialize(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return isInitializeRequest(body);
}

interface Serving {
  readonly host: (caller: Caller) => Server;
  readonly limits: HttpLimits;
  readonly openStream: OpenStream;
}

/** Answers a request of a session. The session is in use until the answer has ended. */
async function answerInSession(session: Session, request: Request): Promise<Response> {
  const ended = () => {
    session.unended -= 1;
    session.usedAt = Date.now();
  };
  session.unended += 1;
  session.usedAt = Date.now();
  try {
    return untilEnd(await session.transport.handleRequest(request), ended);
  } catch (error) {
    ended();
    throw error;
  }
}

/** Serves requests of sessions, and single requests without one. */
export function openSessions({ host, limits, openStream }: Serving): Sessions {
  const { requestBytes: maxRequestBodySize } = limits;
  const open = new Map<string, Session>();
  const end = (id: string) => {
    const session = open.get(id);
    open.delete(id);
    session?.transport.close().catch(logError);
  };
  /** Returns the sessions that were not used for so long, without those that have an open stream. */
  const unusedFor = (ms: number) =>
    [...open].filter(([, { usedAt, unended }]) => unended === 0 && usedAt <= Date.now() - ms);
  const endIdle = () => {
    for (const [id] of unusedFor(limits.idleMs)) end(id);
  };
  const sweep = setInterval(endIdle, Math.min(60_000, limits.idleMs)).unref();
  const begin = async (request: Request, { token, callerOf }: Requester): Promise<Response> => {
    if (open.size >= limits.sessions) {
      const [oldest] = unusedFor(limits.unusedMs);
      if (oldest === undefined)
        return overloadedResponse('Too many sessions are open. Try again later.');
      end(oldest[0]);
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      maxRequestBodySize,
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        open.set(id, { transport, token, usedAt: Date.now(), unended: 0 });
      },
      onsessionclosed: (id) => {
        open.delete(id);
      },
    });
    const caller = callerOf(token);
    const server = host(caller);
    acceptSubscriptions(server, caller.client);
    await server.connect(transport);
    return transport.handleRequest(request);
  };
  const fetch = async (request: Request, requester: Requester): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      if (await isInitialize(request)) return begin(request, requester);
      const factory = () => host(requester.callerOf(requester.token));
      return legacyStatelessFallback(factory, logError, { maxRequestBodySize })(request);
    }
    const session = open.get(id);
    if (session === undefined || session.token !== requester.token) return unknownSession();
    // The most recently used is the last to be ended for a new one.
    open.delete(id);
    open.set(id, session);
    const answer = () => answerInSession(session, request);
    return request.method === 'GET' ? openStream(requester.token, answer) : answer();
  };
  const close = async () => {
    clearInterval(sweep);
    for (const id of open.keys()) end(id);
  };
  return { fetch, close };
}
