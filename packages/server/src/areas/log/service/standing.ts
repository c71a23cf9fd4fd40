// How far the log is, for the operator.
import { fromCrockford } from '#lib/crockford';
import type { Db } from '#database';
import { countWaiting, findHead, listLogKeys, listWitnesses } from '../queries/index.ts';
import type { WitnessRow } from '../queries/index.ts';

export interface LogStanding {
  readonly origin: string;
  readonly size: number;
  readonly publishedSize: number;
  readonly publishedAt: string | null;
  /** Leaves that are not in the tree yet. */
  readonly waiting: number;
  /** Age of the oldest one; 0 if none waits. */
  readonly lagSeconds: number;
  /** Why nothing is signed. */
  readonly refusal: string | null;
  /** Keys that sign, the newest first. */
  readonly keys: readonly string[];
  /** Those that were ever asked, in the order of their names. */
  readonly witnesses: readonly WitnessRow[];
}

function secondsSince(ticket: string | null, now: Date): number {
  const time = ticket === null ? Number.NaN : fromCrockford(ticket, 0, 10);
  return Number.isNaN(time) ? 0 : Math.max(0, (now.getTime() - time) / 1_000);
}

/** Returns the standing; undefined before the log was started. */
export async function findLogStanding(db: Db, now: Date): Promise<LogStanding | undefined> {
  const [head, waiting, keys, witnesses] = await Promise.all([
    findHead(db),
    countWaiting(db),
    listLogKeys(db),
    listWitnesses(db),
  ]);
  if (head === undefined) return undefined;
  return {
    origin: head.origin,
    size: head.size,
    publishedSize: head.published_size,
    publishedAt: head.published_at,
    waiting: waiting.count,
    lagSeconds: secondsSince(waiting.oldest, now),
    refusal: head.refusal,
    witnesses,
    keys: keys.filter((key) => key.retired_at === null).map((key) => key.verifier_key),
  };
}
