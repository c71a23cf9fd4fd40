// Ends connections whose client takes none of the bytes that are sent to it.
import type { Socket } from 'node:net';
import type { Connection } from './connection.ts';

/**
 * A connection is looked at so often before it ends. Looks are counted, not milliseconds: after a time in
 * which this process itself stood still, no client is at fault.
 */
const looksMax = 6;

/** Node's own inactivity time-out reads the same figures: a write in progress shows nowhere else. */
interface Written {
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
}

function look(connection: Connection): void {
  const { _handle: handle } = connection.socket as Socket & Written;
  const left = handle?.writeQueueSize ?? 0;
  const taken = (handle?.bytesWritten ?? 0) - left;
  connection.looks = left > 0 && taken === connection.takenBytes ? connection.looks + 1 : 0;
  connection.takenBytes = taken;
  // A reset, so that the kernel keeps nothing for the client either.
  if (connection.looks >= looksMax) connection.socket.resetAndDestroy();
}

/** Looks at all connections until it is disposed. One without progress for `stallMs` ends. */
export function watchStalls(connections: ReadonlySet<Connection>, stallMs: number): Disposable {
  const timer = setInterval(() => connections.forEach(look), stallMs / looksMax);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
