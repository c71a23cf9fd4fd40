// Sessions of revision 2025-11-25, which deliver notifications. A session is no credential: each request carries the
// token with which the session began.
import {
  isInitializeRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/server';
import { acceptSubscriptions } from './host.ts';
import { logError } from './log.ts';
import type { Caller } from './tools/tool.ts';

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly token: string | undefined;
  usedAt: number;
}

interface Asked {
  readonly token: string | undefined;
  readonly callerOf: (token: string | undefined) => Caller;
}

export interface Sessions {
  fetch(request: Request, asked: Asked): Promise<Response>;
  close(): Promise<void>;
}

const maxSessions = 1000;
/** A client whose session has ended gets 404 and begins a new one. */
const idleMs = 30 * 60_000;

const unknownSession = () =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found.' } },
    { status: 404 },
  );

async function isInitialize(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return isInitializeRequest(body);
}

/** Serves requests of sessions, and single requests without one. */
export function openSessions(
  host: (caller: Caller) => Server,
  maxRequestBodySize: number,
): Sessions {
  const open = new Map<string, Session>();
  const end = (id: string) => {
    const session = open.get(id);
    open.delete(id);
    session?.transport.close().catch(logError);
  };
  const endIdle = () => {
    const before = Date.now() - idleMs;
    for (const [id, { usedAt }] of open) if (usedAt < before) end(id);
  };
  const sweep = setInterval(endIdle, 60_000).unref();
  const begin = async (request: Request, { token, callerOf }: Asked): Promise<Response> => {
    const [oldest] = open.keys();
    if (open.size >= maxSessions && oldest !== undefined) end(oldest);
    const transport = new WebStandardStreamableHTTPServerTransport({
      maxRequestBodySize,
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        open.set(id, { transport, token, usedAt: Date.now() });
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
  const fetch = async (request: Request, asked: Asked): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      if (await isInitialize(request)) return begin(request, asked);
      const factory = () => host(asked.callerOf(asked.token));
      return legacyStatelessFallback(factory, logError, { maxRequestBodySize })(request);
    }
    const session = open.get(id);
    if (session === undefined || session.token !== asked.token) return unknownSession();
    session.usedAt = Date.now();
    // The most recently used is the last to be ended for a new one.
    open.delete(id);
    open.set(id, session);
    return session.transport.handleRequest(request);
  };
  const close = async () => {
    clearInterval(sweep);
    for (const id of open.keys()) end(id);
  };
  return { fetch, close };
}
