// Gives waiting leaves their numbers and grows the tree, in one transaction.
import { newTiles, readGrown, rootOf, tileBytes } from '@colophon/tlog';
import type { Database, Tx } from '#database';
import { sha256 } from '#lib/sha256';
import {
  insertNumbered,
  leavesAtOnce,
  listTiles,
  listWaiting,
  lockHead,
  setTiles,
  setGrown,
  setNumbers,
  setPublishedNumbers,
} from '../queries/index.ts';
import type { Head } from '../queries/index.ts';
import { edgeOf, readerOf } from './tiles.ts';

/** Adds entries behind the last leaf of the locked tree, and stores the tiles that changed. */
async function grow(tx: Tx, { size }: Head, entries: readonly string[], now: Date): Promise<void> {
  const old = readerOf(size, await listTiles(tx, edgeOf(size)));
  const bytes = entries.map((entry) => Buffer.from(entry));
  const read = readGrown(sha256, { size, readHash: old }, bytes);
  const grown = size + entries.length;
  const tiles = [...newTiles(size, grown)].map((tile) => ({
    ...tile,
    hashes: Buffer.from(tileBytes(tile, read)),
  }));
  const root = Buffer.from(rootOf(sha256, grown, read)).toString('hex');
  void setTiles(tx, tiles);
  void setGrown(tx, { size: grown, root, now });
}

/**
 * Moves the leaves that have waited longest into the tree and returns how many. A process that runs it at the
 * same time waits for the commit. `check` is called with the locked head, and throws if the tree must not grow.
 */
export async function sequence(
  db: Database,
  check: (tx: Tx, head: Head) => Promise<void>,
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const head = await lockHead(tx);
    if (head === undefined) return 0;
    await check(tx, head);
    const waiting = await listWaiting(tx);
    if (waiting.length === 0) return 0;
    void setNumbers(
      tx,
      waiting.map(({ cause }) => cause),
      head.size,
    );
    await grow(
      tx,
      head,
      waiting.map(({ entry }) => entry),
      now,
    );
    return waiting.length;
  });
}

/** Adds leaves of the published tree that this database does not have. */
export async function adopt(db: Database, entries: readonly string[], now: Date): Promise<void> {
  for (let from = 0; from < entries.length; from += leavesAtOnce) {
    const some = entries.slice(from, from + leavesAtOnce);
    await db.transaction(async (tx) => {
      const head = await lockHead(tx);
      if (head === undefined) throw new Error('The log has not been started.');
      // One that was collected before the backup waits here: it must not get a second number.
      const known = new Set(await setPublishedNumbers(tx, some, head.size));
      const numbered = some.map((entry, at) => ({ entry, number: head.size + at }));
      void insertNumbered(
        tx,
        numbered.filter(({ number }) => !known.has(number)),
      );
      await grow(tx, head, some, now);
    });
  }
}
