// Collects leaves of articles: reads what changed, and stores what the log has to say about it, once for each cause.
import { randomBytes } from 'node:crypto';
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { SubscriberServices } from '#outbox';
import {
  deleteSalts,
  findArticleCauses,
  listPublications,
  listReported,
  lockLoggedArticles,
  publicationsAtOnce,
  setLoggedArticles,
} from '../queries/index.ts';
import type { ArticleCause, LoggedArticle, ReportedPublication } from '../queries/index.ts';
import { dueOf } from '../rules/articles.ts';
import type { Due } from '../rules/articles.ts';
import { lastTimeOf, publicationLeaf, stateLeaf } from '../rules/leaves.ts';
import type { NewLeaf, Publication } from '../rules/leaves.ts';
import { insertInOrder } from './insert-in-order.ts';

/** Clocks of several machines differ, so what was published a little earlier is read again. */
const overlapMs = 60 * 60_000;
const saltBytes = 32;

interface Examined {
  readonly key: RowKey;
  readonly article: ArticleCause;
  readonly logged: LoggedArticle;
  readonly due: Due;
}

function sinceOf({ logged_until: until }: LoggedArticle): string {
  return until === null ? '-infinity' : new Date(Date.parse(until) - overlapMs).toISOString();
}

function saltedLeaf({ article, due }: Examined, row: Publication, now: Date): NewLeaf {
  const salt = randomBytes(saltBytes);
  return publicationLeaf(article, row, { salt, keepsSalt: due.after !== 'erased', now });
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
      return [saltedLeaf(found, row, now)];
    });
    insertInOrder(tx, leaves, now);
    const end = rows.at(-1);
    if (end === undefined || rows.length < publicationsAtOnce) break;
    after = { time: lastTimeOf(end), id: end.id };
  }
  return last;
}

/**
 * Whether a reported publication belongs in the log: readers could see it. Two jobs may handle the messages of an
 * article in either order, so its end may be in the log already; what was shown before that still belongs there.
 */
function wasShown({ logged, due }: Examined, { shown }: ReportedPublication): boolean {
  return due.publications || (shown === true && logged.state !== 'new');
}

/** Stores publications that the state of their article no longer shows, if readers could see them. */
async function insertReported(
  tx: Tx,
  examined: readonly Examined[],
  reported: readonly ReportedPublication[],
  now: Date,
): Promise<void> {
  const byId = new Map(examined.map((one) => [one.key.id, one]));
  const wanted = reported.filter((one) => {
    const found = byId.get(one.article_id);
    return found !== undefined && wasShown(found, one);
  });
  if (wanted.length === 0) return;
  const rows = await listReported(tx, wanted);
  const leaves = rows.flatMap((row) => {
    const found = byId.get(row.article_id);
    return found === undefined ? [] : [saltedLeaf(found, row, now)];
  });
  insertInOrder(tx, leaves, now);
}

function stateLeavesOf(examined: readonly Examined[], now: Date): readonly NewLeaf[] {
  return examined.flatMap(({ article, logged, due }) =>
    due.state === undefined
      ? []
      : [stateLeaf(article, due.state, { change: logged.changes + 1, now })],
  );
}

async function collect(
  tx: Tx,
  keys: readonly RowKey[],
  reported: readonly ReportedPublication[],
  now: Date,
): Promise<void> {
  const logged = await lockLoggedArticles(tx, keys);
  // A later statement than the lock: it sees every change before it.
  const articles = await findArticleCauses(tx, keys);
  const examined = keys.flatMap((key): Examined[] => {
    const [article, before] = [articles.get(key.id), logged.get(key.id)];
    if (article === undefined || before === undefined) return [];
    return [{ key, article, logged: before, due: dueOf(before.state, article) }];
  });
  const isAgain = ({ again_at }: ReportedPublication) => again_at !== null;
  const replaced = reported.filter((one) => !isAgain(one));
  await insertReported(tx, examined, replaced, now);
  const last = await insertPublications(tx, examined, now);
  await insertReported(tx, examined, reported.filter(isAgain), now);
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

/**
 * Stores what the log has to say about the present state of articles, given sorted keys, and about publications
 * of theirs that messages reported.
 */
export async function collectArticles(
  keys: readonly RowKey[],
  { db, now }: SubscriberServices,
  reported: readonly ReportedPublication[] = [],
): Promise<void> {
  await db.transaction((tx) => collect(tx, keys, reported, now()));
}
