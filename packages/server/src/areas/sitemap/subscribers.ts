// Gives every listed article one place in the sitemap, and removes it when it is no longer listed.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { ArticleChanged, ArticleErased, Subscriber, SubscriberServices } from '#outbox';
import {
  insertSitemapFile,
  deleteSitemapEntries,
  findSitemapVersions,
  listSitemapNumbers,
  listStaleSitemapEntries,
  lockSitemapEntries,
  lockSitemapFile,
  setSitemapFileRecounted,
  setSitemapEntries,
  setSlotsTaken,
  setSitemapFilesChanged,
} from './queries/index.ts';
import { countArticles, listArticlesAfter } from '#reindex';
import type { FileChange, NewSitemapEntry, SitemapEntry, SitemapVersion } from './queries/index.ts';
import { articlesOf } from '#outbox';
import type { Rebuilding } from '#reindex';

/** More than enough: each turn but the last finds a file that another transaction filled at that moment. */
const turnsMax = 20;

/**
 * Returns, for each of `count` articles, the number of a file with a place reserved for this transaction.
 */
async function placesFor(tx: Tx, count: number, now: string): Promise<readonly number[]> {
  const places: number[] = [];
  for (let turn = 0; turn < turnsMax && places.length < count; turn += 1) {
    const taken = await setSlotsTaken(tx, count - places.length, now);
    if (taken === undefined) await insertSitemapFile(tx, now);
    else places.push(...Array.from({ length: taken.taken }, () => taken.number));
  }
  if (places.length < count) throw new Error('No sitemap file has room for another entry.');
  return places;
}

function isSame(entry: SitemapEntry | undefined, version: SitemapVersion): boolean {
  return entry?.revision_id === version.revision_id && entry.lastmod === version.lastmod;
}

type Entries = ReadonlyMap<string, SitemapEntry>;
type Versions = ReadonlyMap<string, SitemapVersion>;

/** Returns the files that the changes affect, and how many entries leave each. */
function changesOf(
  entries: Entries,
  gone: readonly RowKey[],
  changed: readonly NewSitemapEntry[],
): readonly FileChange[] {
  const left = new Map<number, number>();
  for (const { file } of changed) left.set(file, 0);
  for (const { id } of gone) {
    const file = entries.get(id)?.file ?? null;
    if (file !== null) left.set(file, (left.get(file) ?? 0) + 1);
  }
  return [...left].map(([number, count]) => ({ number, left: count }));
}

/** Returns the entries that have a place and whose article has a different version. */
function changedOf(
  keys: readonly RowKey[],
  entries: Entries,
  versions: Versions,
): readonly NewSitemapEntry[] {
  return keys.flatMap((key) => {
    const [entry, version] = [entries.get(key.id), versions.get(key.id)];
    const file = entry?.file ?? null;
    if (version === undefined || file === null || isSame(entry, version)) return [];
    return [{ ...key, ...version, file }];
  });
}

/**
 * Brings entries up to date. The entries are locked first, and a later statement reads the articles, so
 * that an older run never overwrites a newer one. The rows of files are locked last, for the shortest time.
 */
async function placeArticles(tx: Tx, keys: readonly RowKey[], now: string): Promise<void> {
  const [entries, versions] = await Promise.all([
    lockSitemapEntries(tx, keys, now),
    findSitemapVersions(tx, keys),
  ]);
  const gone = keys.filter(({ id }) => !versions.has(id));
  const fresh = keys.filter(({ id }) => versions.has(id) && entries.get(id)?.file === null);
  const changed = changedOf(keys, entries, versions);
  if (gone.length > 0) void deleteSitemapEntries(tx, gone);
  if (changed.length > 0) void setSitemapEntries(tx, changed);
  const changes = changesOf(entries, gone, changed);
  if (changes.length > 0) void setSitemapFilesChanged(tx, changes, now);
  if (fresh.length === 0) return;
  const places = await placesFor(tx, fresh.length, now);
  const placed = fresh.flatMap((key, index) => {
    const [version, file] = [versions.get(key.id), places[index]];
    return version === undefined || file === undefined ? [] : [{ ...key, ...version, file }];
  });
  void setSitemapEntries(tx, placed);
}

/** Brings the sitemap entries of articles up to date with their present state. */
export async function placeInSitemap(
  keys: readonly RowKey[],
  { db, now }: SubscriberServices,
): Promise<void> {
  await db.transaction((tx) => placeArticles(tx, keys, timestamp(now())));
}

/** Sets the count of one file to the number of its entries. Only damage makes the two differ. */
async function recount(number: number, { db, now }: SubscriberServices): Promise<void> {
  await db.transaction(async (tx) => {
    await Promise.all([
      lockSitemapFile(tx, number, timestamp(now())),
      setSitemapFileRecounted(tx, number, timestamp(now())),
    ]);
  });
}

export const rebuildingSitemap: Rebuilding = {
  name: 'sitemap',
  version: 2,
  count: countArticles,
  next: listArticlesAfter,
  stale: listStaleSitemapEntries,
  rebuild: (id, services) => placeInSitemap([keyOf(id)], services),
};

export const rebuildingSitemapFiles: Rebuilding = {
  name: 'sitemap-files',
  version: 1,
  count: async (db) => (await listSitemapNumbers(db)).length,
  next: async (db, after, limit) => {
    const numbers = await listSitemapNumbers(db);
    return numbers
      .filter((number) => number > Number(after))
      .slice(0, limit)
      .map(String);
  },
  stale: async () => [],
  rebuild: (number, services) => recount(Number(number), services),
};

const onArticleChanged: Subscriber<ArticleChanged> = {
  type: 'article.changed',
  name: 'placeInSitemap',
  priority: 'low',
  run: (message, services) => placeInSitemap(articlesOf([message]), services),
  many: {
    atOnce: 100,
    run: (messages, services) => placeInSitemap(articlesOf(messages), services),
  },
};

const onArticleErased: Subscriber<ArticleErased> = {
  type: 'article.erased',
  name: 'takeOutOfSitemap',
  run: (message, services) => placeInSitemap(articlesOf([message]), services),
};

export const sitemapSubscribers: readonly Subscriber[] = [onArticleChanged, onArticleErased];
