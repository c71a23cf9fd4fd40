// Connections of the job queue's library, which opens its transactions by hand.
import pg from 'pg';
import type { Log } from './messages.ts';

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * Graphile Worker 0.18.0 releases the connection on which it listens twice, when that breaks before the answer
 * to LISTEN while the library stops. The second release throws in a promise that nobody handles, which would
 * end this process: here it does nothing.
 */
function bearSecondRelease(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool);
  const connectTo = (callback: Connected) =>
    connect((error, client, release) => {
      let isReleased = false;
      callback(error, client, (fault) => {
        if (isReleased) return;
        isReleased = true;
        release(fault);
      });
    });
  pool.connect = ((callback?: Connected) =>
    callback === undefined ? connect() : connectTo(callback)) as pg.Pool['connect'];
}

interface Own {
  readonly connection: pg.ClientConfig;
  /** How many jobs run at once. */
  readonly concurrency: number;
  readonly log: Log;
}

/** The library's queries go unpipelined over connections of their own. */
export function openWorkerPool({ connection, concurrency, log }: Own): pg.Pool {
  const pool = new pg.Pool({
    application_name: 'colophon-worker',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...connection,
    options: '-c timezone=UTC -c statement_timeout=30000',
    // Opened when needed: one listens, and batches of jobs are taken and finished over two or three.
    max: concurrency + 2,
  });
  bearSecondRelease(pool);
  pool.on('error', (error) => log.debug({ err: error }, 'An idle connection of the worker broke.'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'A connection of the worker broke.'));
  });
  return pool;
}
