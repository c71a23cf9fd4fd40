// The door of the connections: counting, request turns, limits of unread bytes, and orderly closing.
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

/** Durations and sizes, which tests lower. */
export interface Bounds extends Pace {
  /** During a stop: milliseconds in which idle connections may still send a request that is answered. */
  readonly drainMs: number;
  /** During a stop: milliseconds after which incomplete bodies are answered with `unavailable`. */
  readonly bodiesMs: number;
  /** Milliseconds of the window in which an upload must deliver 1 KiB per second. */
  readonly uploadWindowMs: number;
  /** Maximum response bytes in this process that clients have not read. */
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
  /** Registers a new connection of a server. */
  readonly enter: (socket: Socket) => void;
  /** Passes a request to `handle` when its turn comes. */
  readonly take: (request: IncomingMessage, response: ServerResponse, handle: Handle) => void;
  /** Whether the connection exceeds the limit of its network address. */
  readonly isRefused: (request: IncomingMessage) => boolean;
  /** Counts the bytes of an answer until the client has received them; false if the limit is reached. */
  readonly hold: (request: IncomingMessage, response: ServerResponse, bytes: number) => boolean;
  /** Counts the bytes even if the limit is reached, because the request has already taken effect. */
  readonly add: (request: IncomingMessage, response: ServerResponse, bytes: number) => void;
  /** Whether the server is draining: idle connections may still send a request. */
  readonly isDraining: () => boolean;
  /** Stops listening. Resolves when all connections are closed or the drain time has passed. */
  readonly drain: (servers: readonly Server[]) => Promise<void>;
}

/** Connections up to this multiple of the limit are answered with 429; further ones are reset. */
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
    // A pipelined response behind the one being sent gets no event when its connection closes.
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
    // Each request in flight may listen for the end of the connection.
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
    /** Undefined after the connection has closed: later responses on it are neither written nor counted. */
    find: (socket: Socket) => {
      const connection = bySocket.get(socket);
      return connection !== undefined && open.has(connection) ? connection : undefined;
    },
  };
}

/** Closes connections that never sent a byte, which Node does not count as idle. */
function closeIdle(open: ReadonlySet<Connection>): void {
  for (const { socket, inFlight } of open) {
    if (inFlight === 0 && socket.bytesRead === 0) socket.destroySoon();
  }
}

async function drained({ open }: Registry, servers: readonly Server[], ms: number): Promise<void> {
  // First accept the connections that the operating system has already accepted: they would be reset.
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

/** Opens the registry of the connections of all servers of this process. */
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
    // It answered a request that arrived before the stop, without `Connection: close`.
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
