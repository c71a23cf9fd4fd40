// The subscriber that erases the comments of a closed account whose works are erased.
import { insertCountDelta } from '#articles';
import type { Database } from '#database';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import type { PrincipalClosed, Subscriber, SubscriberServices } from '#outbox';
import { commentChanged } from '../outbox/comments.ts';
import {
  findTreatmentCursor,
  listNextTreated,
  listTreated,
  setErased,
  setTreatmentCursor,
} from '../queries/index.ts';

const commentsAtOnce = 200;
/** Comments are stored with their articles: this many buckets are written concurrently. */
const bucketsAtOnce = 8;

async function eraseIn(
  db: Database,
  bucket: number,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const erased = await setErased(tx, bucket, ids, now);
    for (const comment of erased) commentChanged(tx, comment, now);
    const counted = erased.filter(({ visible }) => visible);
    for (const [id, some] of Map.groupBy(counted, (comment) => comment.article_id))
      insertCountDelta(tx, { bucket, id }, { comments: -some.length }, now);
  });
}

async function erasePage(db: Database, ids: readonly string[], now: Date): Promise<void> {
  const byBucket = [...Map.groupBy(ids, bucketOf)];
  for (let from = 0; from < byBucket.length; from += bucketsAtOnce) {
    const chunk = byBucket.slice(from, from + bucketsAtOnce);
    await Promise.all(chunk.map(([bucket, some]) => eraseIn(db, bucket, some, now)));
  }
}

/** Deletes the text of all comments of one author in pages; an interrupted run continues at its cursor. */
async function eraseAll(author: RowKey, { db, now }: SubscriberServices): Promise<void> {
  let after = await db.transaction((tx) => findTreatmentCursor(tx, author));
  while (after !== undefined) {
    const ids = await listNextTreated(db, author, { after, limit: commentsAtOnce });
    await erasePage(db, ids, now());
    const last: string = ids.at(-1) ?? after;
    const finished = ids.length < commentsAtOnce ? now() : null;
    await db.transaction((tx) => setTreatmentCursor(tx, author, { after: last, finished }));
    after = finished === null ? last : undefined;
  }
}

/** Erases the comments of a closed account and of its agents. A second run changes nothing. */
export async function eraseComments(
  principalId: string,
  services: SubscriberServices,
): Promise<void> {
  const bucket = bucketOf(principalId);
  for (const id of await listTreated(services.db, { bucket, id: principalId }))
    await eraseAll({ bucket, id }, services);
}

/** Under every other treatment the text stays, with the name of the closed account beside it. */
export const forgetComments: Subscriber<PrincipalClosed> = {
  type: 'principal.closed',
  name: 'eraseComments',
  run: async ({ payload }, services) => {
    if (payload.treatment === 'erase') await eraseComments(payload.principal_id, services);
  },
};
