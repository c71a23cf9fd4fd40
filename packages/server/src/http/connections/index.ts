// The door of the connections: counting, request turns, limits of unread bytes, and orderly closing.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextImmediate } from 'node:timers/promises';
import type { Config } from '#config';
import { newConnection } from './connection.ts';
import type { Connection, Handle } from './connection.ts';
import { openPeers } from './peers.ts';
import { watchStalls } from './stalls.ts';
import type { Pace } from './stalls.ts';
import { limitPieces } from './small-pieces.ts';
import { openTurns, stayPaused } from './turns.ts';
import { openUnread } from './unread.ts';

/** Durations and sizes, which tests lower. */
export interface Bounds extends Pace {
  /** During a stop: milliseconds in which idle connections may still send a request that is answered. */
  readonly drainMs: number;
  /** During a stop: milliseconds after which incomplete bodies are answered with `unavailable`. */
  readonly bodiesMs: number;
  /** Milliseconds of the window in which an upload must deliver 1 KiB per second. */
  readonly uploadWindowMs: number;
  /** Milliseconds between two writes of when tokens and sessions were last used. */
  readonly lastUsedMs: number;
  /** Maximum response bytes in this process that clients have not read. */
  readonly unreadBytes: number;
  /** Maximum number of open connections of all servers of this process. */
  readonly connections: number;
}

export const usualBounds: Bounds = {
  stallMs: 30_000,
  bytesPerSecond: 1024,
  drainMs: 2_000,
  bodiesMs: 7_000,
  uploadWindowMs: 15_000,
  lastUsedMs: 20_000,
  unreadBytes: 40 * 1024 * 1024,
  // Four thousand of them may be polls that wait for events; others are still accepted.
  connections: 6_000,
};

export interface Connections extends Disposable {
  /** Registers a new connection of a server. */
  readonly enter: (socket: Socket) => void;
  /** Passes a request to `handle` when its turn comes. */
  readonly take: (request: IncomingMessage, response: ServerResponse, handle: Handle) => void;
  /** Whether the connection exceeds the limit of its network address. */
  readonly isRefused: (request: IncomingMessage) => boolean | Promise<boolean>;
  /** Counts the bytes of an answer until the client has received them; false if the limit is reached. */
  readonly reserve: (request: IncomingMessage, response: ServerResponse, bytes: number) => boolean;
  /** Counts the bytes even if the limit is reached, because the request has already taken effect. */
  readonly add: (request: IncomingMessage, response: ServerResponse, bytes: number) => void;
  /** Whether the server is draining: idle connections may still send a request. */
  readonly isDraining: () => boolean;
  /**
   * Accepts the connections that the operating system has already accepted: they would be reset when their socket
   * closes. A turn of the event loop accepts one of each socket, so this waits for a turn without any. Answers must
   * still keep their connections: clients that lost one would connect again.
   */
  readonly acceptWaiting: () => Promise<void>;
  /** Stops listening. Resolves when all connections are closed or the drain time has passed. */
  readonly drain: (servers: readonly Server[]) => Promise<void>;
}

/** Counts the connections of each address in all processes of this host. */
export interface SharedConnections {
  /** Returns the number of open connections of the address, with the new one; undefined if it is not known. */
  enter(address: string): Promise<number | undefined>;
  leave(address: string): void;
}

/** Connections up to this multiple of the limit are answered with 429; further ones are reset. */
const answeredFactor = 2;

const listenersMax = 32;

/**
 * During a stop, connections that wait are accepted for so many milliseconds, however many follow, and for so many
 * pairs of turns of the event loop, however slow the machine is.
 */
const acceptMs = 500;
const acceptTurns = 128;

function limitTo(connection: Connection, connections: number, limit: number): void {
  const over = connections / limit;
  connection.refused = over > 1;
  if (over > answeredFactor) connection.socket.resetAndDestroy();
}

/** Applies the limit of the address to a new connection: now, or when the host has counted it. */
function applyLimit(connection: Connection, limit: number, host?: SharedConnections): void {
  const { address, connections } = connection.peer;
  if (address === undefined) return;
  if (host === undefined) {
    limitTo(connection, connections, limit);
    return;
  }
  connection.counting = host.enter(address).then((all) => {
    connection.counting = undefined;
    limitTo(connection, all ?? connection.peer.connections, limit);
  });
}

function openRegistry(
  config: Pick<Config, 'limits' | 'trustedProxies'>,
  bounds: Pick<Bounds, 'unreadBytes' | 'connections'>,
  host: SharedConnections | undefined,
) {
  const peers = openPeers(config.trustedProxies);
  const unread = openUnread(bounds.unreadBytes);
  const open = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  const isCounted = !config.limits.off;
  const limit = config.limits.connectionsPerAddress;
  let entered = 0;

  function leave(connection: Connection): void {
    open.delete(connection);
    connection.waiting.length = 0;
    // A pipelined response behind the one being sent gets no event when its connection closes.
    unread.freeAll(connection);
    peers.leave(connection.peer);
    const { address } = connection.peer;
    if (isCounted && address !== undefined) host?.leave(address);
  }

  function enter(socket: Socket): void {
    if (open.size >= bounds.connections) {
      socket.destroy();
      return;
    }
    entered += 1;
    const peer = peers.enter(socket);
    const connection = newConnection(socket, peer);
    // Each request in flight may listen for the end of the connection.
    socket.setMaxListeners(listenersMax);
    open.add(connection);
    bySocket.set(socket, connection);
    socket.once('close', () => leave(connection));
    stayPaused(connection);
    if (isCounted) applyLimit(connection, limit, host);
  }

  return {
    open,
    unread,
    enter,
    /** The number of connections that were accepted since the start. */
    entered: () => entered,
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

async function acceptWaiting(entered: () => number): Promise<void> {
  const end = performance.now() + acceptMs;
  let before = -1;
  for (let turn = 0; turn < acceptTurns || performance.now() < end; turn += 1) {
    if (before === entered()) return;
    before = entered();
    // The second is certain to come after the system was asked for events.
    await nextImmediate();
    await nextImmediate();
  }
}

async function drain(
  open: ReadonlySet<Connection>,
  servers: readonly Server[],
  ms: number,
): Promise<void> {
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
  host?: SharedConnections,
): Connections {
  const bounds = { ...usualBounds, ...over };
  const registry = openRegistry(config, bounds, host);
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
      if (connection === undefined) return;
      limitPieces({ request, response });
      turns.take(connection, { request, response, handle });
    },
    isRefused: ({ socket }) => {
      const connection = find(socket);
      if (connection?.counting === undefined) return connection?.refused === true;
      return connection.counting.then(() => connection.refused);
    },
    reserve: ({ socket }, response, bytes) => {
      const connection = find(socket);
      return connection === undefined || unread.reserve(connection, response, bytes);
    },
    add: ({ socket }, response, bytes) => {
      const connection = find(socket);
      if (connection !== undefined) unread.add(connection, response, bytes);
    },
    acceptWaiting: () => acceptWaiting(registry.entered),
    isDraining: () => phase === 'draining',
    drain: async (servers) => {
      phase = 'draining';
      await drain(open, servers, bounds.drainMs);
      phase = 'closing';
      closeIdle(open);
      for (const server of servers) server.closeIdleConnections();
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}
