// Limits the requests in progress on one connection (pipelining, RFC 9112 section 9.3.2).
import type { Connection, Exchange, Turn } from './connection.ts';
import { closeInOrder, discardUnparsed } from './unparsed.ts';

const inFlightMax = 8;
/** A connection with this many unread bytes starts its next request only after they are read. */
const unreadMax = 1024 * 1024;
/** Maximum number of parsed requests that wait on one connection. */
const waitingMax = 128;
/**
 * Maximum number of requests started in one turn of the event loop, so that other connections are served in
 * between. Node runs promises and ticks while it parses a chunk that contains bodies: without this limit all
 * of its requests would start.
 */
const begunMax = 16;

export interface Turns {
  /** Passes the request to its handler now or after earlier ones are answered. */
  readonly take: (connection: Connection, turn: Turn) => void;
}

const safe: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether the next request may begin beside those in flight. Only safe ones are worked on in parallel (RFC 9112
 * section 9.3.2): a write sees the effect of the one before it, and is not performed if that one ends the connection.
 */
function mayBegin(connection: Connection, { request }: Exchange): boolean {
  const { inFlight, begun, unreadBytes, isWriting } = connection;
  if (begun >= begunMax) return false;
  if (inFlight === 0) return true;
  return (
    !isWriting && safe.has(request.method) && inFlight < inFlightMax && unreadBytes < unreadMax
  );
}

/** Drops the requests behind an answer with `Connection: close` (RFC 9112 section 9.6). */
function leaveBehind({ waiting }: Connection): void {
  for (const { request } of waiting) request.resume();
  waiting.length = 0;
}

/**
 * Ignores a request and all that follow it, because its connection has too many. The last waiting request is
 * answered with `Connection: close`, as RFC 9112 section 9.3.2 expects.
 */
function leaveOut(connection: Connection, { request }: Exchange): void {
  if (connection.overfull) return;
  connection.overfull = true;
  const last = connection.waiting.at(-1);
  if (last !== undefined) closeInOrder(connection.socket, last.response);
  request.resume();
  connection.paused = false;
  discardUnparsed(connection.socket);
}

/**
 * Opens the turns of all connections. `ended` is called after each response that the client received or whose
 * connection broke.
 */
export function openTurns(ended: (connection: Connection, exchange: Exchange) => void): Turns {
  function begin(connection: Connection, turn: Turn): void {
    const { request, response, handle } = turn;
    connection.inFlight += 1;
    connection.isWriting = !safe.has(request.method);
    if (connection.begun === 0) {
      setImmediate(() => {
        connection.begun = 0;
        next(connection);
      });
    }
    connection.begun += 1;
    response.once('close', () => {
      connection.inFlight -= 1;
      ended(connection, turn);
      next(connection);
    });
    handle(request, response);
  }

  function next(connection: Connection): void {
    const { waiting, socket } = connection;
    if (socket.destroyed) return;
    if (socket.writableEnded) leaveBehind(connection);
    let turn = waiting[0];
    while (turn !== undefined && mayBegin(connection, turn)) {
      waiting.shift();
      begin(connection, turn);
      turn = waiting[0];
    }
    // Resume in a later turn: a read continued in this one brings requests that may not start.
    if (!connection.paused || waiting.length > 0 || connection.begun > 0) return;
    connection.paused = false;
    socket.resume();
  }

  return {
    take: (connection, turn) => {
      const { waiting, socket } = connection;
      if (socket.writableEnded) {
        turn.request.resume();
      } else if (connection.overfull || waiting.length >= waitingMax) {
        leaveOut(connection, turn);
      } else if (waiting.length === 0 && mayBegin(connection, turn)) {
        begin(connection, turn);
      } else {
        waiting.push(turn);
        connection.paused = true;
        socket.pause();
      }
    },
  };
}

/** Keeps a paused connection paused: Node resumes sockets for reasons of its own. */
export function stayPaused(connection: Connection): void {
  const { socket } = connection;
  socket.on('resume', () => {
    if (connection.paused) socket.pause();
  });
}
