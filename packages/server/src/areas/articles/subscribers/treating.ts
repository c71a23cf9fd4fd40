// The subscriber that treats the works of a closed account.
import type { Treatment } from '@colophon/contract';
import type { Database, Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { PrincipalClosed, Subscriber, SubscriberServices } from '#outbox';
import { articleChanged } from '../outbox.ts';
import {
  insertPendingErasures,
  insertTreatments,
  listUntreated,
  lockTreatment,
  lockWorks,
  setTreated,
  setUnpublished,
} from '../queries/index.ts';
import { eraseWorks } from '../service/erasing.ts';
import type { Leaver, Work } from '../queries/index.ts';
import { treatmentOf } from '../rules/articles.ts';

/** Works per transaction: the most that is repeated after a process is killed. */
const worksAtOnce = 100;

async function treat(
  tx: Tx,
  { bucket }: RowKey,
  works: readonly Work[],
  { treatment, now }: { readonly treatment: Treatment; readonly now: Date },
): Promise<void> {
  const fates = Map.groupBy(works, (work) => treatmentOf(treatment, work));
  const idsOf = (fate: string) => (fates.get(fate as never) ?? []).map(({ id }) => id);
  void setUnpublished(tx, bucket, idsOf('unpublish'), now);
  const erased = await eraseWorks(tx, { bucket, ids: idsOf('erase') }, { at: now });
  if (erased.length > 0) void insertPendingErasures(tx, { bucket, ids: erased }, now);
  // Also for works that stay: derived rows contain the author's name.
  for (const { id, published } of works) if (published) articleChanged(tx, { bucket, id }, now);
}

/** Runs one step of an author's treatment and returns whether there is another. */
async function step(
  db: Database,
  author: RowKey,
  treatment: Treatment,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const after = await lockTreatment(tx, author);
    if (after === undefined) return false;
    const works = await lockWorks(tx, author, after, worksAtOnce);
    await treat(tx, author, works, { treatment, now });
    const last = works.length < worksAtOnce;
    void setTreated(tx, author, {
      after: works.at(-1)?.id ?? after,
      count: works.length,
      last,
      now,
    });
    return !last;
  });
}

/**
 * Applies the chosen treatment to the works of a closed account and its agents. Each step stores its cursor,
 * so that a later run continues where a killed process stopped.
 */
export async function treatWorks(
  leaver: Leaver,
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
): Promise<void> {
  await db.transaction((tx) => insertTreatments(tx, leaver, now()));
  for (const id of await listUntreated(db, leaver)) {
    const author = { bucket: leaver.bucket, id };
    while (await step(db, author, leaver.treatment, now()));
  }
}

const onPrincipalClosed: Subscriber<PrincipalClosed> = {
  type: 'principal.closed',
  name: 'treatWorks',
  priority: 'urgent',
  run: ({ bucket, payload }, services) =>
    treatWorks({ bucket, id: payload.principal_id, treatment: payload.treatment }, services),
};

export const treatmentSubscribers = [onPrincipalClosed] as readonly Subscriber[];
