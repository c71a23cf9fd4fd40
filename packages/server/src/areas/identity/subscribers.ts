// Recurring jobs and subscribers of identity: unused accounts, old nonces, closed accounts, and when trust is raised.
import type { Database } from '#database';
import { deleteAnswers, deleteQuotaUses } from '#http';
import type { Ledger } from '#ledger';
import type { RowKey } from '#lib/id';
import type {
  Delivered,
  PrincipalClosed,
  Subscriber,
  SubscriberServices,
  Recurring,
  Sweep,
} from '#outbox';
import { despiteFailures, sweepJob } from '#outbox';
import { principalChanged } from './outbox.ts';
import {
  deleteActiveKeys,
  deleteExpiredCeremonies,
  deleteEndedSessions,
  deleteExpiredWebLinks,
  deleteKeyNonces,
  deleteLapsedUsernames,
  deleteTraces,
  deleteUnusedAccount,
  listKeysOfAgents,
  listUnrecordedClosings,
  listUnusedAccounts,
  lockUnused,
  setClosingsRecorded,
  setForgotten,
  setUsedByTraces,
} from './queries/index.ts';
import type { UnrecordedClosing } from './queries/index.ts';
import { bucketOfKey } from './rules/keys.ts';
import { idleSince } from './rules/sessions.ts';
import { raiseTrustLevels } from './service/earned-trust.ts';

const unusedMs = 24 * 60 * 60 * 1_000;
const batchSize = 200;

/** Deletes one account if nothing used it; returns how many were deleted. */
function removeUnused(db: Database, account: RowKey, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    void lockUnused(tx, account);
    void setUsedByTraces(tx, account);
    const deleted = await deleteUnusedAccount(tx, account);
    if (deleted > 0) principalChanged(tx, account, now);
    return deleted;
  });
}

/**
 * Deletes unused accounts and returns how many. Registration has no caller for an idempotency key, so a lost
 * response leaves an account that no one can use. A use is stored within seconds, but a killed process may
 * lose it; so the account's rows in other tables count as use too.
 */
export async function removeUnusedAccounts({ db, now }: SubscriberServices): Promise<number> {
  const before = new Date(now().getTime() - unusedMs);
  const each = despiteFailures();
  let removed = 0;
  for (let listed = batchSize; listed === batchSize;) {
    const accounts = await listUnusedAccounts(db, before, batchSize);
    for (const account of accounts) {
      await each.attempt(async () => {
        removed += await removeUnused(db, account, now());
      });
    }
    listed = accounts.length;
  }
  each.finish();
  return removed;
}

/**
 * As long as a replay is stored: until then a repeated registration gets the answer that the nonce was used.
 */
const noncesKeptMs = 24 * 60 * 60 * 1_000;

const keysAtOnce = 200;

/** Frees the public keys of a closed account's agents. */
async function releaseKeys(db: Database, owner: { bucket: number; id: string }): Promise<void> {
  let after = '';
  for (;;) {
    const keys = await listKeysOfAgents(db, owner, after, keysAtOnce);
    const active = keys.map((key) => ({
      bucket: bucketOfKey(key.public_key),
      publicKey: key.public_key,
      keyId: key.id,
    }));
    if (active.length > 0) await db.transaction((tx) => deleteActiveKeys(tx, active));
    if (keys.length < keysAtOnce) return;
    after = keys.at(-1)?.id ?? after;
  }
}

/** Deletes a closed account's data in identity. A second run deletes nothing more. */
async function forgetPrincipal(
  { bucket, payload }: Pick<Delivered<PrincipalClosed>, 'bucket' | 'payload'>,
  { db, now }: SubscriberServices,
): Promise<void> {
  const account = { bucket, id: payload.principal_id };
  await releaseKeys(db, account);
  await db.transaction(async (tx) => {
    void deleteAnswers(tx, account);
    void deleteQuotaUses(tx, account);
    await deleteTraces(tx, account);
    void setForgotten(tx, account, now());
  });
}

const onPrincipalClosed: Subscriber<PrincipalClosed> = {
  type: 'principal.closed',
  name: 'forgetPrincipal',
  priority: 'urgent',
  run: (message, services) => forgetPrincipal(message, services),
};

export const subscribers: readonly Subscriber[] = [onPrincipalClosed];

const sweeps: readonly Sweep[] = [
  {
    name: 'sweepKeyNonces',
    everyMinutes: 10,
    what: 'key nonces',
    keptMs: noncesKeptMs,
    deleteBefore: deleteKeyNonces,
  },
  {
    name: 'sweepCeremonies',
    everyMinutes: 10,
    what: 'ceremonies',
    deleteBefore: deleteExpiredCeremonies,
  },
  {
    name: 'sweepSessions',
    everyMinutes: 60,
    what: 'sessions',
    deleteBefore: (tx, now, limit) =>
      deleteEndedSessions(tx, { now, idleSince: idleSince(now) }, limit),
  },
  {
    name: 'sweepWebLinks',
    everyMinutes: 60,
    what: 'web links',
    deleteBefore: deleteExpiredWebLinks,
  },
  {
    // A name is reserved so that no one can pass for its former owner; after a year it is free again.
    name: 'sweepLapsedUsernames',
    everyMinutes: 60,
    what: 'usernames of closed accounts',
    deleteBefore: deleteLapsedUsernames,
  },
];

export const recurring: readonly Recurring[] = [
  {
    name: 'removeUnusedAccounts',
    everyMinutes: 60,
    run: async (services) => {
      const removed = await removeUnusedAccounts(services);
      if (removed > 0) services.log.info({ removed }, 'Deleted accounts that were never used.');
    },
  },
  {
    name: 'raiseTrustLevels',
    everyMinutes: 60,
    run: async (services) => {
      const changed = await raiseTrustLevels(services);
      if (changed > 0) services.log.info({ changed }, 'Changed trust levels.');
    },
  },
  ...sweeps.map(sweepJob),
];

/** How long the request of a closing has to write the ledger itself. */
const requestMs = 60_000;

/** Returns the job that records closings with `erase` of which a copy of the ledger may not know. */
export function recordingClosings(ledger: Ledger): Recurring {
  return {
    name: 'recordClosings',
    everyMinutes: 1,
    run: ({ db, now }) => {
      const before = new Date(now().getTime() - requestMs);
      return ledger.complete<UnrecordedClosing>({
        list: (limit) => listUnrecordedClosings(db, before, limit),
        setRecorded: async (closings) => {
          for (const [bucket, own] of Map.groupBy(closings, (one) => one.bucket)) {
            const ids = own.map(({ principal_id }) => principal_id);
            await db.transaction((tx) => setClosingsRecorded(tx, { bucket, ids }, now()));
          }
        },
      });
    },
  };
}
