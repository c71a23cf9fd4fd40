// Joins the keyed reads of one turn of the event loop.
import type { KeyedRead } from './keyed-read.ts';
import type { Db } from './session.ts';

/** Rows of one statement: so many large texts arrive in some 50 ms. */
const rowsMax = 16;

interface Waiting {
  readonly key: unknown;
  readonly found: PromiseWithResolvers<unknown>;
}

type AnyRead = KeyedRead<unknown, object>;

/** Sends one statement for several keys. Each of them gets its row, or the failure of the statement. */
async function readEach(db: ReadsRows, read: AnyRead, asked: readonly Waiting[]): Promise<void> {
  const [only] = asked;
  try {
    if (only !== undefined && asked.length === 1) {
      const [row] = await db.rows(read.one(only.key));
      only.found.resolve(row);
      return;
    }
    const rows = await db.rows(read.many(asked.map(({ key }) => key)));
    const byPosition = new Map(rows.map((row) => [row.nth, row]));
    for (const [index, { found }] of asked.entries()) found.resolve(byPosition.get(index + 1));
  } catch (error) {
    for (const { found } of asked) found.reject(error);
  }
}

type ReadsRows = Pick<Db, 'rows'>;

/**
 * Returns a `find` that waits for the end of the turn and then sends one statement for all keys of the same
 * read: under load, each request costs a part of a statement, and one that is alone costs what it did. What is
 * found was read after every request that gets it had asked, so nothing is older than with a statement of its
 * own. Requests for the same key get the same row, which they must not change.
 */
export function turnReads(db: ReadsRows): Db['find'] {
  const turn = new Map<AnyRead, Map<string, Waiting>>();

  function end(read: AnyRead): void {
    const asked = [...(turn.get(read)?.values() ?? [])];
    turn.delete(read);
    for (let from = 0; from < asked.length; from += rowsMax)
      void readEach(db, read, asked.slice(from, from + rowsMax));
  }

  function waitingFor(read: AnyRead): Map<string, Waiting> {
    let waiting = turn.get(read);
    if (waiting === undefined) {
      waiting = new Map();
      turn.set(read, waiting);
      // Runs when all sockets that are ready have been read.
      setImmediate(end, read);
    }
    return waiting;
  }

  return <K, R>(asked: KeyedRead<K, R>, key: K) => {
    const waiting = waitingFor(asked as unknown as AnyRead);
    const name = asked.nameOf(key);
    let one = waiting.get(name);
    if (one === undefined) {
      one = { key, found: Promise.withResolvers<unknown>() };
      waiting.set(name, one);
    }
    return one.found.promise as Promise<R | undefined>;
  };
}
