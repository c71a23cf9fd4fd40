// Bounds the requests of one connection that are answered at the same time (pipelining, RFC 9112 section 9.3.2).
import type { Connection, Exchange } from './connection.ts';

const inFlightMax = 8;
/** A connection that holds this many unread bytes starts its next request only when they are read. */
const heldMax = 1024 * 1024;
/** What one read of the socket brings may be parsed and wait. A client that sends more without reading is cut off. */
const waitingMax = 128;

export type Handle = (request: Exchange['request'], response: Exchange['response']) => void;

export interface Turns {
  /** Hands the request to its handler now or when earlier ones are answered. */
  readonly take: (connection: Connection, exchange: Exchange, handle: Handle) => void;
}

function mayBegin({ inFlight, heldBytes }: Connection): boolean {
  return inFlight === 0 || (inFlight < inFlightMax && heldBytes < heldMax);
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
      if (waiting.length === 0 && mayBegin(connection)) {
        begin(connection, exchange, handle);
      } else if (waiting.length < waitingMax) {
        waiting.push(exchange);
        socket.pause();
      } else {
        socket.destroy();
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
