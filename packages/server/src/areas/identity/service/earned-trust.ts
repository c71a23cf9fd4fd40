// Trust levels that accounts earn by what they publish and how long they are here.
import { trustSteps, upheldReportDays } from '@colophon/contract';
import type { Database } from '#database';
import { BUCKETS } from '#lib/id';
import { despiteFailures } from '#outbox';
import type { SubscriberServices } from '#outbox';
import { countVisibleComments, listTrustCandidates, setTrustLevels } from '../queries/index.ts';
import type { TrustChange, TrustRow } from '../queries/index.ts';
import { trustLevelOf } from '../rules/identity.ts';

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
  const each = despiteFailures();
  let changed = 0;
  for (let from = 0; from < BUCKETS; from += bucketsAtOnce)
    await each.attempt(async () => {
      changed += await raiseTrustIn(db, from, at);
    });
  each.finish();
  return changed;
}
