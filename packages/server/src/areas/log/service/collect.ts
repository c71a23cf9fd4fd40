// Collects leaves: reads what changed, and stores what the log has to say about it, once for each cause.
import { randomBytes } from 'node:crypto';
import type { Tx } from '#database';
import { keyOf, newId } from '#lib/id';
import type { RowKey } from '#lib/id';
import { publicStatement } from '#moderation';
import type { SubscriberServices } from '#outbox';
import {
  deleteSalts,
  findArticleCauses,
  findClosing,
  insertLeaves,
  listKeyCauses,
  listKeysOfOwner,
  listPublications,
  lockLoggedArticles,
  publicationsAtOnce,
  setLoggedArticles,
} from '../queries/index.ts';
import type { ArticleCause, KeyCause, LoggedArticle } from '../queries/index.ts';
import { logBucket } from '../queries/bucket.ts';
import { dueOf } from '../rules/articles.ts';
import type { Due } from '../rules/articles.ts';
import {
  actionLeaf,
  closingLeaf,
  keyLeaves,
  lastTimeOf,
  publicationLeaf,
  stateLeaf,
} from '../rules/leaves.ts';
import type { NewLeaf } from '../rules/leaves.ts';

/** Clocks of several machines differ, so what was published a little earlier is read again. */
const overlapMs = 60 * 60_000;
const saltBytes = 32;
const keysAtOnce = 200;

/** Stores leaves in the order in which they stand, which is the order of their numbers. */
function insertInOrder(tx: Tx, leaves: readonly NewLeaf[], now: Date): void {
  if (leaves.length === 0) return;
  const waiting = leaves.map(({ cause, entry, salt }) => ({
    cause,
    entry,
    ticket: newId(logBucket, now.getTime()),
    articleId: salt?.articleId ?? null,
    salt: salt?.bytes ?? null,
  }));
  void insertLeaves(
    tx,
    waiting.toSorted((one, other) => (one.cause < other.cause ? -1 : 1)),
  );
}

interface Examined {
  readonly key: RowKey;
  readonly article: ArticleCause;
  readonly logged: LoggedArticle;
  readonly due: Due;
}

function sinceOf({ logged_until: until }: LoggedArticle): string {
  return until === null ? '-infinity' : new Date(Date.parse(until) - overlapMs).toISOString();
}

/** Stores the publications that are due. Returns the time of the last one of each article. */
async function insertPublications(
  tx: Tx,
  examined: readonly Examined[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const wanted = examined.filter(({ due }) => due.publications);
  const byId = new Map(wanted.map((one) => [one.key.id, one]));
  const last = new Map<string, string>();
  const since = wanted.map(({ key, logged }) => ({ ...key, since: sinceOf(logged) }));
  for (let after = { time: '-infinity', id: '' }; wanted.length > 0;) {
    const rows = await listPublications(tx, since, after);
    const leaves = rows.flatMap((row) => {
      const found = byId.get(row.article_id);
      if (found === undefined) return [];
      last.set(row.article_id, lastTimeOf(row));
      const salt = randomBytes(saltBytes);
      return [
        publicationLeaf(found.article, row, { salt, keepsSalt: found.due.after !== 'erased', now }),
      ];
    });
    insertInOrder(tx, leaves, now);
    const end = rows.at(-1);
    if (end === undefined || rows.length < publicationsAtOnce) break;
    after = { time: lastTimeOf(end), id: end.id };
  }
  return last;
}

function stateLeavesOf(examined: readonly Examined[], now: Date): readonly NewLeaf[] {
  return examined.flatMap(({ article, logged, due }) =>
    due.state === undefined
      ? []
      : [stateLeaf(article, due.state, { change: logged.changes + 1, now })],
  );
}

async function collect(tx: Tx, keys: readonly RowKey[], now: Date): Promise<void> {
  const logged = await lockLoggedArticles(tx, keys);
  // A later statement than the lock: it sees every change before it.
  const articles = await findArticleCauses(tx, keys);
  const examined = keys.flatMap((key): Examined[] => {
    const [article, before] = [articles.get(key.id), logged.get(key.id)];
    if (article === undefined || before === undefined) return [];
    return [{ key, article, logged: before, due: dueOf(before.state, article) }];
  });
  const last = await insertPublications(tx, examined, now);
  insertInOrder(tx, stateLeavesOf(examined, now), now);
  const changed = examined.filter(
    ({ key, due, logged: { state } }) => due.after !== state || last.has(key.id),
  );
  if (changed.length > 0)
    void setLoggedArticles(
      tx,
      changed.map((one) => ({
        ...one.key,
        state: one.due.after,
        changes: one.logged.changes + Number(one.due.state !== undefined),
        logged_until: last.get(one.key.id) ?? one.logged.logged_until,
      })),
    );
  const erased = examined.filter(({ article }) => article.status === 'erased');
  if (erased.length > 0)
    void deleteSalts(
      tx,
      erased.map(({ key }) => key.id),
    );
}

/** Stores what the log has to say about the present state of articles: in their order, given sorted keys. */
export async function collectArticles(
  keys: readonly RowKey[],
  { db, now }: SubscriberServices,
): Promise<void> {
  await db.transaction((tx) => collect(tx, keys, now()));
}

/** A key, and since when it was compromised as a message said it: the date may have moved back since. */
export interface ChangedKey extends RowKey {
  readonly compromisedAt?: string | null;
}

function causesOf(key: KeyCause, changes: readonly ChangedKey[]): readonly KeyCause[] {
  const said = changes.flatMap(({ id, compromisedAt }) =>
    id === key.id ? (compromisedAt ?? []) : [],
  );
  const earlier = said
    .filter((at) => at !== key.compromised_at)
    .toSorted()
    .toReversed();
  return [...earlier.map((compromised_at) => ({ ...key, compromised_at })), key];
}

/** Stores what the log has to say about signing keys. */
export async function collectKeys(
  changes: readonly ChangedKey[],
  { db, now }: SubscriberServices,
): Promise<void> {
  await db.transaction(async (tx) => {
    const keys = await listKeyCauses(tx, changes);
    const leaves = keys
      .flatMap((key) => causesOf(key, changes))
      .flatMap((key) => keyLeaves(key, now()));
    const byCause = new Map(leaves.map((leaf) => [leaf.cause, leaf]));
    insertInOrder(tx, [...byCause.values()], now());
  });
}

/** Stores what the log has to say about a moderation action. */
export async function collectAction(id: string, { db, now }: SubscriberServices): Promise<void> {
  const key = keyOf(id);
  const statement = await publicStatement(db, key);
  if (statement === undefined) return;
  await db.transaction(async (tx) =>
    insertInOrder(tx, [actionLeaf({ key, statement }, now())], now()),
  );
}

/** Stores what the log has to say about a closed account: its closing, and the end of its agents' keys. */
export async function collectClosing(owner: RowKey, services: SubscriberServices): Promise<void> {
  const { db, now } = services;
  const closing = await findClosing(db, owner);
  if (closing !== undefined)
    await db.transaction(async (tx) => insertInOrder(tx, [closingLeaf(closing, now())], now()));
  for (let after = ''; ;) {
    const keys = await listKeysOfOwner(db, owner, after, keysAtOnce);
    if (keys.length > 0) await collectKeys(keys, services);
    if (keys.length < keysAtOnce) return;
    after = keys.at(-1)?.id ?? after;
  }
}
