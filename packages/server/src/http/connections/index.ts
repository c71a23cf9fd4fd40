// The door of the connections: each one is counted, takes turns, is bounded in what it holds, and ends in order.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '#config';
import type { Connection } from './connection.ts';
import { openPeers } from './peers.ts';
import { watchStalls } from './stalls.ts';
import type { Pace } from './stalls.ts';
import { openTurns, stayPaused } from './turns.ts';
import type { Handle } from './turns.ts';
import { openUnread } from './unread.ts';

/** Times and sizes that tests set lower. */
export interface Bounds extends Pace {
  /** Of a stop: idle connections may send a request for so long, and are answered. */
  readonly drainMs: number;
  /** Of a stop: bodies that have not come whole by then are answered with `unavailable`. */
  readonly bodiesMs: number;
  /** In each such time an upload must bring 1 KiB a second. */
  readonly uploadWindowMs: number;
  /** Response bytes that the process holds for clients that do not read. */
  readonly unreadBytes: number;
}

export const usualBounds: Bounds = {
  stallMs: 30_000,
  bytesPerSecond: 1024,
  drainMs: 2_000,
  bodiesMs: 7_000,
  uploadWindowMs: 15_000,
  unreadBytes: 40 * 1024 * 1024,
};

export interface Connections extends Disposable {
  /** Records a new connection of a server. */
  readonly enter: (socket: Socket) => void;
  /** Hands a request to `handle` when it is its turn. */
  readonly take: (request: IncomingMessage, response: ServerResponse, handle: Handle) => void;
  /** The connection is one too many of its network address. */
  readonly isRefused: (request: IncomingMessage) => boolean;
  /** Counts the bytes of an answer until the client has taken them; false: the bound is reached. */
  readonly hold: (request: IncomingMessage, response: ServerResponse, bytes: number) => boolean;
  /** Counts them although the bound may be reached: the effect of the request has happened. */
  readonly add: (request: IncomingMessage, response: ServerResponse, bytes: number) => void;
  /** Idle connections may still send a request. */
  readonly isDraining: () => boolean;
  /** Stops listening, and resolves when the connections are closed or were idle for the time of the drain. */
  readonly drain: (servers: readonly Server[]) => Promise<void>;
}

/** Of refused connections: twice as many as the limit get an answer, the others a reset. */
const answeredFactor = 2;

const listenersMax = 32;

type Registry = ReturnType<typeof openRegistry>;

function openRegistry(config: Pick<Config, 'limits' | 'trustedProxies'>, unreadBytes: number) {
  const peers = openPeers(config.trustedProxies);
  const unread = openUnread(unreadBytes);
  const open = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  const limit = config.limits.off ? Number.POSITIVE_INFINITY : config.limits.connectionsPerAddress;

  function leave(connection: Connection): void {
    open.delete(connection);
    connection.waiting.length = 0;
    // A pipelined response behind the one that is being sent is never told that its connection closed.
    unread.freeAll(connection);
    peers.leave(connection.peer);
  }

  function enter(socket: Socket): void {
    const peer = peers.enter(socket);
    const over = peer.address === undefined ? 0 : peer.connections / limit;
    const connection: Connection = {
      socket,
      peer,
      refused: over > 1,
      inFlight: 0,
      begun: 0,
      waiting: [],
      paused: false,
      overfull: false,
      held: new Map(),
      heldBytes: 0,
      takenBytes: 0,
      looks: 0,
      rate: { fromBytes: 0, looks: 0 },
    };
    // Each request in flight may listen to the end of the connection.
    socket.setMaxListeners(listenersMax);
    open.add(connection);
    bySocket.set(socket, connection);
    socket.once('close', () => leave(connection));
    stayPaused(connection);
    if (over > answeredFactor) socket.resetAndDestroy();
  }

  return {
    open,
    unread,
    enter,
    /** undefined once it is closed: what comes for it later is not written, and not held. */
    find: (socket: Socket) => {
      const connection = bySocket.get(socket);
      return connection !== undefined && open.has(connection) ? connection : undefined;
    },
  };
}

/** Closes connections that never sent a byte; Node does not take them for idle. */
function closeIdle(open: ReadonlySet<Connection>): void {
  for (const { socket, inFlight } of open) {
    if (inFlight === 0 && socket.bytesRead === 0) socket.destroySoon();
  }
}

async function drained({ open }: Registry, servers: readonly Server[], ms: number): Promise<void> {
  // What the kernel has accepted is taken first: it would be reset.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  for (const server of servers) if (server.listening) server.close();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const left = () => {
    if (open.size === 0) resolve();
  };
  for (const { socket } of open) socket.once('close', left);
  left();
  await promise;
  clearTimeout(timer);
}

/** The connections of all servers of this process. */
export function openConnections(
  config: Pick<Config, 'limits' | 'trustedProxies'>,
  over: Partial<Bounds> = {},
): Connections {
  const bounds = { ...usualBounds, ...over };
  const registry = openRegistry(config, bounds.unreadBytes);
  const { open, unread, enter, find } = registry;
  const watch = watchStalls(open, bounds);
  let phase: 'open' | 'draining' | 'closing' = 'open';
  const turns = openTurns((connection, { response }) => {
    unread.free(connection, response);
    // It answered a request that came before the stop, and said nothing of closing.
    if (phase === 'closing' && connection.inFlight === 0 && connection.waiting.length === 0)
      connection.socket.destroySoon();
  });
  return {
    enter,
    take: (request, response, handle) => {
      const connection = find(request.socket);
      if (connection !== undefined) turns.take(connection, { request, response }, handle);
    },
    isRefused: ({ socket }) => find(socket)?.refused === true,
    hold: ({ socket }, response, bytes) => {
      const connection = find(socket);
      return connection === undefined || unread.hold(connection, response, bytes);
    },
    add: ({ socket }, response, bytes) => {
      const connection = find(socket);
      if (connection !== undefined) unread.add(connection, response, bytes);
    },
    isDraining: () => phase === 'draining',
    drain: async (servers) => {
      phase = 'draining';
      await drained(registry, servers, bounds.drainMs);
      phase = 'closing';
      closeIdle(open);
      for (const server of servers) server.closeIdleConnections();
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}
