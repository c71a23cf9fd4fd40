// The connection pool of the job queue's library, which opens its transactions itself.
import type pg from 'pg';
import { newPool } from '#database';
import type { Connection } from '#database';
import type { Log } from './subscriber.ts';

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * Makes a second release of a connection harmless. Graphile Worker 0.18.0 releases its LISTEN connection
 * twice when the connection breaks before the answer to LISTEN while the library stops. The second release
 * throws in a promise without a rejection handler, which would end this process.
 */
function bearSecondRelease(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool);
  const connectTo = (callback: Connected) =>
    connect((error, client, release) => {
      // A pool that has ended reports it without a release, which the library would call.
      if (error !== undefined && error !== null) return callback(error, client, () => undefined);
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
  readonly connection: Connection;
  readonly log: Log;
}

/** Opens connections for the library's queries, which are not pipelined. */
export function openWorkerPool({ connection, log }: Own): pg.Pool {
  const pool = newPool(connection, {
    application_name: 'colophon-worker',
    settings: { timezone: 'UTC', statement_timeout: 30_000 },
    // One listens, two take and finish batches of jobs. `npm run bench -- pipeline` is as fast with three as
    // with six, and each is a process of PostgreSQL with some 8 MB.
    max: 3,
  });
  bearSecondRelease(pool);
  pool.on('error', (error) =>
    log.debug(
      { err: error },
      'An idle connection of the worker was lost; it is replaced when needed.',
    ),
  );
  pool.on('connect', (client) => {
    client.on('error', (error) =>
      log.debug({ err: error }, 'A connection of the worker was lost; its jobs are retried.'),
    );
  });
  return pool;
}
