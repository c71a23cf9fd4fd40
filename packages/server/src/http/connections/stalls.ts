// Ends connections whose client takes none of the bytes that are sent to it, or takes them too slowly.
import type { Socket } from 'node:net';
import type { Connection } from './connection.ts';
import { readUnacknowledged } from './unacknowledged.ts';
import type { Unacknowledged } from './unacknowledged.ts';

/**
 * A connection is looked at so often before it ends. Looks are counted, not milliseconds: after a time in
 * which this process itself stood still, no client is at fault.
 */
const looksMax = 6;
/** The rate is measured over so many looks. */
const rateLooks = 2 * looksMax;
/**
 * Where the system does not say what it holds for a client. It takes more from this process only when a
 * large part of that, a megabyte or more, was read: a slow client shows no progress for minutes.
 */
const blindFactor = 10;

export interface Pace {
  /** A connection whose client takes nothing for so long ends. */
  readonly stallMs: number;
  /** A connection whose client takes less than this, over twice that time, ends. */
  readonly bytesPerSecond: number;
}

/** Node's own inactivity time-out reads the same figures: a write in progress shows nowhere else. */
interface Written {
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
}

/** Bytes that wait in this process, and those that left it. */
function progressOf({ socket }: Connection): { readonly left: number; readonly sent: number } {
  const { _handle: handle } = socket as Socket & Written;
  const left = handle?.writeQueueSize ?? 0;
  return { left, sent: (handle?.bytesWritten ?? 0) - left };
}

function forget(connection: Connection): void {
  connection.looks = 0;
  connection.rate.looks = 0;
}

/** Whether the client is too slow; `bytes` are what it must take in the looks of a rate. */
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
  // A reset, so that the kernel keeps nothing for the client either.
  if (stalled || (held !== undefined && isTooSlow(connection, taken, bytes)))
    connection.socket.resetAndDestroy();
}

/** Looks at all connections until it is disposed. */
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
