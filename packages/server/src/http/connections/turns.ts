// Bounds the requests of one connection that are answered at the same time (pipelining, RFC 9112 section 9.3.2).
import type { Connection, Exchange } from './connection.ts';
import { discardUnparsed } from './unparsed.ts';

const inFlightMax = 8;
/** A connection that holds this many unread bytes starts its next request only when they are read. */
const heldMax = 1024 * 1024;
/** What one read of the socket brings may be parsed and wait. */
const waitingMax = 128;
/**
 * Requests that begin in one turn of the event loop, so that other connections are served in between. Node
 * runs promises and ticks while it parses a piece with bodies in it: without this bound all of them would begin.
 */
const begunMax = 16;
const lingerMs = 30_000;

export type Handle = (request: Exchange['request'], response: Exchange['response']) => void;

export interface Turns {
  /** Hands the request to its handler now or when earlier ones are answered. */
  readonly take: (connection: Connection, exchange: Exchange, handle: Handle) => void;
}

function mayBegin({ inFlight, begun, heldBytes }: Connection): boolean {
  if (begun >= begunMax) return false;
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

/**
 * Leaves a request and all that follow it without an answer: its connection has too many. The last one that
 * waits is answered with `Connection: close`, as RFC 9112 section 9.3.2 expects.
 */
function leaveOut(connection: Connection, { request }: Exchange): void {
  if (connection.overfull) return;
  connection.overfull = true;
  closeAfterWaiting(connection);
  request.resume();
  connection.paused = false;
  discardUnparsed(connection.socket);
}

/** `ended` runs after each response that was taken by the client or whose connection broke. */
export function openTurns(ended: (connection: Connection, exchange: Exchange) => void): Turns {
  function begin(connection: Connection, exchange: Exchange, handle: Handle): void {
    connection.inFlight += 1;
    if (connection.begun === 0) {
      setImmediate(() => {
        connection.begun = 0;
        next(connection, handle);
      });
    }
    connection.begun += 1;
    exchange.response.once('close', () => {
      connection.inFlight -= 1;
      ended(connection, exchange);
      next(connection, handle);
    });
    handle(exchange.request, exchange.response);
  }

  function next(connection: Connection, handle: Handle): void {
    const { waiting, socket } = connection;
    if (socket.destroyed) return;
    while (mayBegin(connection)) {
      const exchange = waiting.shift();
      if (exchange === undefined) break;
      begin(connection, exchange, handle);
    }
    // In a later turn: a read that goes on in this one brings requests that may not begin.
    if (!connection.paused || waiting.length > 0 || connection.begun > 0) return;
    connection.paused = false;
    socket.resume();
  }

  return {
    take: (connection, exchange, handle) => {
      const { waiting, socket } = connection;
      if (connection.overfull || waiting.length >= waitingMax) {
        leaveOut(connection, exchange);
      } else if (waiting.length === 0 && mayBegin(connection)) {
        begin(connection, exchange, handle);
      } else {
        waiting.push(exchange);
        connection.paused = true;
        socket.pause();
      }
    },
  };
}

/** Node resumes a socket for reasons of its own. */
export function stayPaused(connection: Connection): void {
  const { socket } = connection;
  socket.on('resume', () => {
    if (connection.paused) socket.pause();
  });
}
