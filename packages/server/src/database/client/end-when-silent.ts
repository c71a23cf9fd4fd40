// Ends connections to a server that says nothing: to a machine that vanished without closing them.
import type { Socket } from 'node:net';
import type pg from 'pg';

interface Internals {
  readonly _activeQuery: object | null | undefined;
  readonly connection: { readonly stream: Socket };
}

/**
 * After so many looks without a new byte, no answer will come. A busy database, or one that was suspended for a
 * while, answers before.
 */
const looks = 4;

function silence(): Error {
  return Object.assign(new Error('The database did not answer.'), { code: 'ETIMEDOUT' });
}

/**
 * Ends the connection, and with it its statements, when nothing has come for four to five times `statementMs` while an
 * answer is due, with ETIMEDOUT. PostgreSQL ends a statement after `statementMs` itself, if it still runs. The system would wait for
 * about a quarter of an hour until it gives up sending (tcp(7), `tcp_retries2`).
 */
export function endWhenSilent(client: pg.Client, statementMs: number): void {
  const internals = client as unknown as Internals;
  client.once('connect', () => {
    const { stream } = internals.connection;
    let heard = 0;
    let silent = 0;
    // Counted, not by the clock: after this process was suspended, what has arrived is read before the next look.
    const timer = setInterval(() => {
      const isDue = Boolean(internals._activeQuery);
      silent = isDue && stream.bytesRead === heard ? silent + 1 : 0;
      heard = stream.bytesRead;
      if (silent >= looks) stream.destroy(silence());
    }, statementMs).unref();
    client.once('end', () => clearInterval(timer));
  });
}
