// Answers that wait for their client: a connection has a limited number, and a client may close its side before it reads.
import type { IncomingMessage, Server } from 'node:http';

/** Clients of tools wait for an answer, or open another connection. */
const inFlightMax = 8;
/** A stream of events writes every 15 seconds, and a tool answers in less than a minute. */
const stalledMs = 120_000;

/** A property of Node.js without a type. */
interface HalfOpen {
  httpAllowHalfOpen: boolean;
}

/**
 * Ends connections whose client sends requests and does not read the answers, which would pile up in memory. A client
 * that closes its side after a whole request is answered: what it asked for happens.
 */
export function limitInFlight(server: Server): void {
  server.timeout = stalledMs;
  Object.assign<Server, HalfOpen>(server, { httpAllowHalfOpen: true });
  const inFlight = new WeakMap<IncomingMessage['socket'], number>();
  server.prependListener('request', ({ socket }: IncomingMessage, response) => {
    const count = (inFlight.get(socket) ?? 0) + 1;
    inFlight.set(socket, count);
    response.once('close', () => inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1));
    if (count > inFlightMax) socket.destroy();
  });
}
