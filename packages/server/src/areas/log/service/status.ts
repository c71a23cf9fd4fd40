// How far the log is, for the operator.
import { fromCrockford } from '@colophon/text/lib/crockford';
import type { Db } from '#database';
import {
  countWaiting,
  findHead,
  findTicket,
  listLogKeys,
  listWitnesses,
} from '../queries/index.ts';
import type { WitnessRow } from '../queries/index.ts';
import { activeKeys, silentKeys } from '../rules/signing-keys.ts';

export interface LogStatus {
  readonly origin: string;
  readonly size: number;
  readonly publishedSize: number;
  readonly publishedAt: string | null;
  /** Leaves that are not published yet: those without a number, and those in the tree that is not signed. */
  readonly waiting: number;
  /** Age of the oldest one; 0 if none waits. */
  readonly lagSeconds: number;
  /** Why nothing is signed. */
  readonly refusal: string | null;
  /** Keys that sign, the newest first. */
  readonly keys: readonly string[];
  /** Sentences about those of them that have not signed the published checkpoint. */
  readonly silent: readonly string[];
  /** Those that were ever asked, in the order of their names. */
  readonly witnesses: readonly WitnessRow[];
}

function secondsSince(ticket: string | null, now: Date): number {
  const time = ticket === null ? Number.NaN : fromCrockford(ticket, 0, 10);
  return Number.isNaN(time) ? 0 : Math.max(0, (now.getTime() - time) / 1_000);
}

/** Returns how far the log is; undefined before the log was started. */
export async function findLogStatus(db: Db, now: Date): Promise<LogStatus | undefined> {
  const [head, waiting, keys, witnesses] = await Promise.all([
    findHead(db),
    countWaiting(db),
    listLogKeys(db),
    listWitnesses(db),
  ]);
  if (head === undefined) return undefined;
  const unsigned = Math.max(0, head.size - head.published_size);
  const ticket = unsigned === 0 ? null : await findTicket(db, head.published_size);
  return {
    origin: head.origin,
    size: head.size,
    publishedSize: head.published_size,
    publishedAt: head.published_at,
    waiting: waiting.count + unsigned,
    lagSeconds: Math.max(secondsSince(ticket, now), secondsSince(waiting.oldest, now)),
    refusal: head.refusal,
    witnesses,
    keys: activeKeys(keys),
    silent:
      head.published_at === null || head.checkpoint === null
        ? []
        : silentKeys(keys, head.checkpoint),
  };
}
