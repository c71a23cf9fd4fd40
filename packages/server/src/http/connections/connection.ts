// The state of one open connection and of the network address that it belongs to.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of one network address. */
export interface Peer {
  /**
   * An IPv4 address or an IPv6 /64; undefined for trusted proxies, which forward requests of many clients.
   */
  readonly address: string | undefined;
  connections: number;
  /** Response bytes that its clients have not read. */
  unreadBytes: number;
}

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** An exchange and what handles it: what Fastify does not get has handlers of its own. */
export interface Turn extends Exchange {
  readonly handle: Handle;
}

export interface Connection {
  readonly socket: Socket;
  readonly peer: Peer;
  /**
   * Whether its address has too many connections: its first request is answered with 429 and it is closed.
   */
  refused: boolean;
  /** Pending while the supervisor of this host counts the connection. */
  counting: Promise<void> | undefined;
  /** Number of requests passed to their handlers whose responses the client has not yet received. */
  inFlight: number;
  /** Whether one of them is not safe: the next one waits for its answer. */
  isWriting: boolean;
  /** Number of requests passed to their handlers in this turn of the event loop. */
  begun: number;
  /** Pipelined requests that wait to be handled. */
  readonly waiting: Turn[];
  /**
   * Whether reading from the socket is paused because requests wait or waited in this turn of the event loop.
   */
  paused: boolean;
  /** Whether too many requests waited: later ones are not parsed. */
  overfull: boolean;
  /** Unread bytes of each response. */
  readonly unreadOf: Map<ServerResponse, number>;
  unreadBytes: number;
  /**
   * Bytes that the client had received at the last check, and the number of checks since they last changed.
   */
  takenBytes: number;
  looks: number;
  /**
   * Bytes that the client had received when the rate measurement began, and the number of checks since then.
   */
  readonly rate: { fromBytes: number; looks: number };
}

/** Returns the state of a connection on which nothing has happened yet. */
export function newConnection(socket: Socket, peer: Peer): Connection {
  return {
    socket,
    peer,
    refused: false,
    counting: undefined,
    inFlight: 0,
    isWriting: false,
    begun: 0,
    waiting: [],
    paused: false,
    overfull: false,
    unreadOf: new Map(),
    unreadBytes: 0,
    takenBytes: 0,
    looks: 0,
    rate: { fromBytes: 0, looks: 0 },
  };
}
