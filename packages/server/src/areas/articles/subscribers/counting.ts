// The subscriber that adds up changes of counts.
import { despiteFailures } from '#outbox';
import type { CountsGrew, Subscriber, SubscriberServices, Recurring } from '#outbox';
import type { RowKey } from '#lib/id';
import { setCountsFolded, foldedAtOnce, listUnfolded } from '../queries/index.ts';

/** Adds up the changes of one article's counts in short transactions and returns how many changes. */
export async function foldCounts(
  key: RowKey,
  { db }: Pick<SubscriberServices, 'db'>,
): Promise<number> {
  let folded = 0;
  for (let batch = foldedAtOnce; batch === foldedAtOnce; folded += batch)
    batch = await db.transaction((tx) => setCountsFolded(tx, key));
  return folded;
}

const articlesAtOnce = 500;

/** Adds up all changes and returns how many. */
export async function foldAllCounts(services: Pick<SubscriberServices, 'db'>): Promise<number> {
  let folded = 0;
  const each = despiteFailures();
  let after: RowKey | undefined = { bucket: -1, id: '' };
  while (after !== undefined) {
    const places: readonly RowKey[] = await listUnfolded(services.db, after, articlesAtOnce);
    for (const key of places)
      await each.attempt(async () => void (folded += await foldCounts(key, services)));
    after = places.length < articlesAtOnce ? undefined : places.at(-1);
  }
  each.finish();
  return folded;
}

const onCountsGrew: Subscriber<CountsGrew> = {
  type: 'counts.grew',
  name: 'foldCounts',
  run: async ({ bucket, payload }, services) => {
    await foldCounts({ bucket, id: payload.article_id }, services);
  },
};

export const countSubscribers = [onCountsGrew] as readonly Subscriber[];

export const recurring: readonly Recurring[] = [
  {
    name: 'foldCounts',
    everyMinutes: 1,
    run: async (services) => {
      const folded = await foldAllCounts(services);
      if (folded > 0) services.log.debug({ folded }, 'Folded count deltas into the counts.');
    },
  },
];
