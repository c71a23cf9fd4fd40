// What identity does by itself: it removes unused accounts and old nonces, and raises trust levels.
import { trustSteps } from '@colophon/contract';
import type { Database } from '#database';
import { BUCKETS } from '#lib/id';
import type { ReactionServices, Recurring } from '#outbox';
import {
  deleteKeyNonces,
  deleteUnusedAccount,
  listTrustCandidates,
  listUnusedAccounts,
  setTrustLevels,
  setUsedByTraces,
} from './queries/index.ts';
import type { TrustChange, TrustRow } from './queries/index.ts';
import { trustLevelOf } from './rules.ts';

const unusedMs = 24 * 60 * 60 * 1_000;
const batchSize = 200;

/**
 * Registration has no caller to key by: an answer that is lost leaves an account that nobody can enter.
 * A use is written down within seconds, but a killed process may lose it, so what an account left behind
 * counts too. Answers how many accounts were removed.
 */
export async function removeUnusedAccounts({ db, now }: ReactionServices): Promise<number> {
  const before = new Date(now().getTime() - unusedMs);
  let removed = 0;
  for (;;) {
    const accounts = await listUnusedAccounts(db, before, batchSize);
    for (const account of accounts) {
      removed += await db.transaction(async (tx) => {
        void setUsedByTraces(tx, account);
        return deleteUnusedAccount(tx, account);
      });
    }
    if (accounts.length < batchSize) return removed;
  }
}

const nonceBatchSize = 2_000;
/** As long as a remembered answer: until then a registration that is sent again is told that it was used. */
const noncesKeptMs = 24 * 60 * 60 * 1_000;

async function sweepKeyNonces({ db, log, now }: ReactionServices): Promise<void> {
  const before = new Date(now().getTime() - noncesKeptMs);
  let deleted = 0;
  for (let batch = nonceBatchSize; batch === nonceBatchSize; deleted += batch)
    batch = await db.transaction((tx) => deleteKeyNonces(tx, before, nonceBatchSize));
  if (deleted > 0) log.debug({ deleted }, 'Swept nonces for keys.');
}

/** Buckets whose candidates are looked for in one statement. */
const bucketsAtOnce = 16;
const candidatesAtOnce = 500;
const dayMs = 86_400_000;

/** Comments and reports count as none until there are any. */
function trustChange(row: TrustRow, now: Date): TrustChange {
  const facts = {
    level: row.trust_level,
    createdAt: new Date(row.created_at),
    articles: row.articles,
    comments: 0,
    upheldReports: 0,
    ownerLevel: row.owner_trust_level,
  };
  return { bucket: row.bucket, id: row.id, from: row.trust_level, to: trustLevelOf(facts, now) };
}

/** Goes through the candidates of some buckets in short transactions; answers how many levels changed. */
async function raiseTrustIn(db: Database, from: number, now: Date): Promise<number> {
  const page = {
    buckets: [from, from + bucketsAtOnce] as const,
    madeBefore: new Date(now.getTime() - Math.min(...trustSteps.map(({ days }) => days)) * dayMs),
    belowLevel: Math.max(...trustSteps.map(({ level }) => level)),
    articlesMax: Math.max(...trustSteps.map(({ articles }) => articles)),
    limit: candidatesAtOnce,
  };
  let changed = 0;
  let after: { bucket: number; id: string } | undefined = { bucket: from, id: '' };
  while (after !== undefined) {
    const rows: readonly TrustRow[] = await listTrustCandidates(db, { ...page, after });
    const changes = rows.map((row) => trustChange(row, now)).filter((one) => one.from !== one.to);
    if (changes.length > 0) changed += await db.transaction((tx) => setTrustLevels(tx, changes));
    after = rows.length < candidatesAtOnce ? undefined : rows.at(-1);
  }
  return changed;
}

/** Lets every trust level follow what its account did, and answers how many changed. Again: none. */
export async function raiseTrustLevels({ db, now }: ReactionServices): Promise<number> {
  const at = now();
  let changed = 0;
  for (let from = 0; from < BUCKETS; from += bucketsAtOnce)
    changed += await raiseTrustIn(db, from, at);
  return changed;
}

export const recurring: readonly Recurring[] = [
  {
    name: 'removeUnusedAccounts',
    everyMinutes: 60,
    run: async (services) => {
      const removed = await removeUnusedAccounts(services);
      if (removed > 0) services.log.info({ removed }, 'Removed accounts that were never used.');
    },
  },
  {
    name: 'raiseTrustLevels',
    everyMinutes: 60,
    run: async (services) => {
      const changed = await raiseTrustLevels(services);
      if (changed > 0) services.log.info({ changed }, 'Trust levels changed.');
    },
  },
  { name: 'sweepKeyNonces', everyMinutes: 10, run: sweepKeyNonces },
];
