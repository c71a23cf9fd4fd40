// Closes connections whose client receives no bytes, or receives them too slowly.
import type { Socket } from 'node:net';
import type { Connection } from './connection.ts';
import { readUnacknowledged } from './unacknowledged.ts';
import type { Unacknowledged } from './unacknowledged.ts';

/**
 * Number of checks without progress after which a connection is closed. Checks are counted, not milliseconds:
 * if this process itself was blocked, no client is at fault.
 */
const looksMax = 6;
/** Number of checks over which the rate is measured. */
const rateLooks = 2 * looksMax;
/**
 * Factor for systems that do not report the unacknowledged bytes. There the kernel accepts more bytes only
 * after the client has read a large part of its buffer, a megabyte or more, so a slow client shows no
 * progress for minutes.
 */
const blindFactor = 10;

export interface Pace {
  /** A connection is closed after this many milliseconds without progress. */
  readonly stallMs: number;
  /** A connection is closed if its client receives less than this, measured over twice `stallMs`. */
  readonly bytesPerSecond: number;
}

/** The fields that Node's own inactivity timeout reads: a write in progress is visible nowhere else. */
interface Written {
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
}

/** Returns the bytes that wait in this process (`left`) and those that were handed to the kernel (`sent`). */
function progressOf({ socket }: Connection): { readonly left: number; readonly sent: number } {
  const { _handle: handle } = socket as Socket & Written;
  const left = handle?.writeQueueSize ?? 0;
  return { left, sent: (handle?.bytesWritten ?? 0) - left };
}

function forget(connection: Connection): void {
  connection.looks = 0;
  connection.rate.looks = 0;
}

/** Whether the client is too slow; `bytes` is the minimum it must receive during a rate measurement. */
function isTooSlow(connection: Connection, taken: number, bytes: number): boolean {
  const { rate } = connection;
  if (rate.looks === 0) rate.fromBytes = taken;
  rate.looks += 1;
  if (rate.looks <= rateLooks) return false;
  rate.looks = 0;
  return taken - rate.fromBytes < bytes;
}

function look(connection: Connection, held: Unacknowledged | undefined, bytes: number): void {
  const { left, sent } = progressOf(connection);
  if (left === 0) {
    forget(connection);
    return;
  }
  const taken = sent - (held?.(connection.socket) ?? 0);
  connection.looks = taken > connection.takenBytes ? 0 : connection.looks + 1;
  connection.takenBytes = Math.max(taken, connection.takenBytes);
  const stalled = connection.looks >= (held === undefined ? blindFactor * looksMax : looksMax);
  // A reset, so that the kernel discards its buffer for the client too.
  if (stalled || (held !== undefined && isTooSlow(connection, taken, bytes)))
    connection.socket.resetAndDestroy();
}

/** Checks all connections periodically until it is disposed. */
export function watchStalls(
  connections: ReadonlySet<Connection>,
  { stallMs, bytesPerSecond }: Pace,
): Disposable {
  const lookMs = stallMs / looksMax;
  const bytes = (bytesPerSecond * lookMs * rateLooks) / 1000;
  let looking = false;
  const lookAtAll = async () => {
    const waits = [...connections].some((connection) => progressOf(connection).left > 0);
    const held = waits ? await readUnacknowledged() : undefined;
    for (const connection of connections) look(connection, held, bytes);
  };
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void lookAtAll().finally(() => (looking = false));
  }, lookMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
