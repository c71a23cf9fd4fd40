// Recurring jobs and subscribers of identity: unused accounts, old nonces, trust levels, closed accounts.
import { trustSteps, upheldReportDays } from '@colophon/contract';
import type { Database } from '#database';
import { deleteAnswers, deleteQuotaUses } from '#http';
import { BUCKETS } from '#lib/id';
import type {
  Delivered,
  PrincipalClosed,
  Subscriber,
  SubscriberServices,
  Recurring,
  Sweep,
} from '#outbox';
import { sweepJob } from '#outbox';
import { principalChanged } from './outbox.ts';
import {
  countVisibleComments,
  deleteActiveKeys,
  deleteExpiredCeremonies,
  deleteEndedSessions,
  deleteExpiredWebLinks,
  deleteKeyNonces,
  deleteLapsedUsernames,
  deleteTraces,
  deleteUnusedAccount,
  listKeysOfAgents,
  listTrustCandidates,
  listUnusedAccounts,
  setForgotten,
  setTrustLevels,
  setUsedByTraces,
} from './queries/index.ts';
import type { TrustChange, TrustRow } from './queries/index.ts';
import { bucketOfKey, trustLevelOf } from './rules/identity.ts';
import { idleSince } from './rules/sessions.ts';

const unusedMs = 24 * 60 * 60 * 1_000;
const batchSize = 200;

/**
 * Deletes unused accounts and returns how many. Registration has no caller for an idempotency key, so a lost
 * response leaves an account that no one can use. A use is stored within seconds, but a killed process may
 * lose it; so the account's rows in other tables count as use too.
 */
export async function removeUnusedAccounts({ db, now }: SubscriberServices): Promise<number> {
  const before = new Date(now().getTime() - unusedMs);
  let removed = 0;
  for (;;) {
    const accounts = await listUnusedAccounts(db, before, batchSize);
    for (const account of accounts) {
      removed += await db.transaction(async (tx) => {
        void setUsedByTraces(tx, account);
        const deleted = await deleteUnusedAccount(tx, account);
        if (deleted > 0) principalChanged(tx, account, now());
        return deleted;
      });
    }
    if (accounts.length < batchSize) return removed;
  }
}

/**
 * As long as a replay is stored: until then a repeated registration gets the answer that the nonce was used.
 */
const noncesKeptMs = 24 * 60 * 60 * 1_000;

/** Number of buckets searched for candidates in one statement. */
const bucketsAtOnce = 16;
const candidatesAtOnce = 500;
const dayMs = 86_400_000;

const commentsMax = Math.max(...trustSteps.map(({ comments }) => comments));

/** Comments are checked one by one, and only when the number written would change the level. */
async function trustChange(db: Database, row: TrustRow, now: Date): Promise<TrustChange> {
  const levelWith = (comments: number) =>
    trustLevelOf(
      {
        level: row.trust_level,
        createdAt: new Date(row.created_at),
        articles: row.articles,
        comments,
        wasReported: row.reported,
        ownerLevel: row.owner_trust_level,
      },
      now,
    );
  const decided = levelWith(0) === levelWith(row.written);
  const to = levelWith(decided ? 0 : await countVisibleComments(db, row, commentsMax));
  return { bucket: row.bucket, id: row.id, from: row.trust_level, to };
}

/** Updates the candidates of some buckets in short transactions and returns how many levels changed. */
async function raiseTrustIn(db: Database, from: number, now: Date): Promise<number> {
  const page = {
    buckets: [from, from + bucketsAtOnce] as const,
    madeBefore: new Date(now.getTime() - Math.min(...trustSteps.map(({ days }) => days)) * dayMs),
    belowLevel: Math.max(...trustSteps.map(({ level }) => level)),
    articlesMax: Math.max(...trustSteps.map(({ articles }) => articles)),
    commentsMax,
    reportsSince: new Date(now.getTime() - upheldReportDays * dayMs),
    limit: candidatesAtOnce,
  };
  let changed = 0;
  let after: { bucket: number; id: string } | undefined = { bucket: from, id: '' };
  while (after !== undefined) {
    const rows: readonly TrustRow[] = await listTrustCandidates(db, { ...page, after });
    const found: TrustChange[] = [];
    for (const row of rows) found.push(await trustChange(db, row, now));
    const changes = found.filter((one) => one.from !== one.to);
    if (changes.length > 0) changed += await db.transaction((tx) => setTrustLevels(tx, changes));
    after = rows.length < candidatesAtOnce ? undefined : rows.at(-1);
  }
  return changed;
}

/**
 * Sets every trust level to what its account has earned and returns how many changed. A second run changes
 * none.
 */
export async function raiseTrustLevels({ db, now }: SubscriberServices): Promise<number> {
  const at = now();
  let changed = 0;
  for (let from = 0; from < BUCKETS; from += bucketsAtOnce)
    changed += await raiseTrustIn(db, from, at);
  return changed;
}

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
  const place = { bucket, id: payload.principal_id };
  await releaseKeys(db, place);
  await db.transaction(async (tx) => {
    void deleteAnswers(tx, place);
    void deleteQuotaUses(tx, place);
    await deleteTraces(tx, place);
    void setForgotten(tx, place, now());
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
