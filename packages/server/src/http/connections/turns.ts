// Bounds the requests of one connection that are answered at the same time (pipelining, RFC 9112 section 9.3.2).
import type { Connection, Exchange } from './connection.ts';

const inFlightMax = 8;
/** A connection that holds this many unread bytes starts its next request only when they are read. */
const heldMax = 1024 * 1024;
/** What one read of the socket brings may be parsed and wait. */
const waitingMax = 128;
/**
 * Requests beyond that are not answered: the last one that waits is answered with `Connection: close`, as
 * RFC 9112 section 9.3.2 expects. They are still read, because bytes that nobody reads make the kernel
 * reset the connection, and the client loses answers; but no more than one or two reads of the socket bring.
 */
const excessMax = 4096;
const lingerMs = 30_000;

export type Handle = (request: Exchange['request'], response: Exchange['response']) => void;

export interface Turns {
  /** Hands the request to its handler now or when earlier ones are answered. */
  readonly take: (connection: Connection, exchange: Exchange, handle: Handle) => void;
}

function mayBegin({ inFlight, heldBytes }: Connection): boolean {
  return inFlight === 0 || (inFlight < inFlightMax && heldBytes < heldMax);
}

/** Ends the connection in order after the answer of its last waiting request. */
function closeAfterWaiting({ socket, waiting }: Connection): void {
  const last = waiting.at(-1);
  if (last === undefined) return;
  last.response.shouldKeepAlive = false;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  };
}

/** Leaves a request without an answer: its connection has too many. */
function leaveOut(connection: Connection, { request }: Exchange): void {
  if (connection.excess === 0) closeAfterWaiting(connection);
  connection.excess += 1;
  request.resume();
  if (connection.excess > excessMax) connection.socket.destroy();
}

/** `ended` runs after each response that was taken by the client or whose connection broke. */
export function openTurns(ended: (connection: Connection, exchange: Exchange) => void): Turns {
  function begin(connection: Connection, exchange: Exchange, handle: Handle): void {
    connection.inFlight += 1;
    exchange.response.once('close', () => {
      connection.inFlight -= 1;
      ended(connection, exchange);
      next(connection, handle);
    });
    handle(exchange.request, exchange.response);
  }

  function next(connection: Connection, handle: Handle): void {
    const { waiting, socket } = connection;
    if (waiting.length === 0 || socket.destroyed) return;
    while (mayBegin(connection)) {
      const exchange = waiting.shift();
      if (exchange === undefined) break;
      begin(connection, exchange, handle);
    }
    if (waiting.length === 0) socket.resume();
  }

  return {
    take: (connection, exchange, handle) => {
      const { waiting, socket } = connection;
      if (connection.excess > 0 || waiting.length >= waitingMax) {
        leaveOut(connection, exchange);
      } else if (waiting.length === 0 && mayBegin(connection)) {
        begin(connection, exchange, handle);
      } else {
        waiting.push(exchange);
        socket.pause();
      }
    },
  };
}

/** Node resumes a socket for reasons of its own; while requests wait it stays paused. */
export function stayPaused({ socket, waiting }: Connection): void {
  socket.on('resume', () => {
    if (waiting.length > 0) socket.pause();
  });
}
