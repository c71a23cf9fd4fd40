// The HTTP servers below Fastify: their limits and timeouts, and what they pass on.
import type { RequestListener, Server } from 'node:http';
import type { Config } from '#config';
import { createServer } from './node-http.ts';
import { expectationRefusal, refuseConnect } from './parser-errors.ts';
import type { Connections } from './connections/index.ts';
import { expectContinue } from './input/expect.ts';

const httpOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // Server-wide, so it is the maximum duration of an upload; JSON bodies have their own timer of 15 s.
  requestTimeout: 900_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
} as const;

/** A client that has sent a whole request may close its sending side and still receives the answer. */
interface HalfOpen {
  httpAllowHalfOpen: boolean;
}

/** Returns the function that creates servers for Fastify, one for each address, and the list of them. */
export function serverMaker(
  config: Pick<Config, 'errorsBaseUrl' | 'deployment'>,
  connections: Connections,
): { readonly servers: readonly Server[]; readonly make: (handle: RequestListener) => Server } {
  const servers: Server[] = [];
  const refuseExpectation = expectationRefusal(config);
  const make = (handle: RequestListener): Server => {
    const server = createServer(httpOptions, (request, response) => {
      connections.take(request, response, handle);
    });
    server.on('checkContinue', (request, response) => {
      expectContinue(request, response);
      connections.take(request, response, handle);
    });
    Object.assign<Server, HalfOpen>(server, { httpAllowHalfOpen: true });
    server.on('connection', connections.enter);
    // By default, a server closes its idle connections as soon as it stops listening.
    const closeIdle = server.closeIdleConnections.bind(server);
    server.closeIdleConnections = () => {
      if (!connections.isDraining()) closeIdle();
    };
    server.on('checkExpectation', (request, response) => {
      connections.take(request, response, refuseExpectation);
    });
    refuseConnect(server, config);
    servers.push(server);
    return server;
  };
  return { servers, make };
}
