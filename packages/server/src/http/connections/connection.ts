// What is recorded about one open connection and about the network address that it comes from.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of one network address. */
export interface Peer {
  /** An IPv4 address or an IPv6 /64; undefined: a trusted proxy, which speaks for many clients. */
  readonly address: string | undefined;
  connections: number;
  /** Response bytes that its clients have not read. */
  heldBytes: number;
}

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Connection {
  readonly socket: Socket;
  readonly peer: Peer;
  /** Over the limit of its address: its first request is answered with 429, and it closes. */
  readonly refused: boolean;
  /** Requests that were handed to their handlers and whose answers have not been taken by the client. */
  inFlight: number;
  /** Requests that were handed to their handlers in this turn of the event loop. */
  begun: number;
  /** Pipelined requests that wait for their turn. */
  readonly waiting: Exchange[];
  /** Nothing is read from the socket: requests wait, or waited in this turn of the event loop. */
  paused: boolean;
  /** Too many requests were waiting: what comes after them is not parsed. */
  overfull: boolean;
  /** Bytes held for each response. */
  readonly held: Map<ServerResponse, number>;
  heldBytes: number;
  /** Bytes that the client's side had taken at the last look, and for how many looks that did not change. */
  takenBytes: number;
  looks: number;
  /** Bytes that it had taken when the measurement of its rate began, and the looks since then. */
  readonly rate: { fromBytes: number; looks: number };
}
