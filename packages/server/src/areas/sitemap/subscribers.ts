// Gives every listed article a place in the sitemap, once, and takes it out when it is listed no more.
import type { Tx, ArticleKey } from '#database';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { ArticleChanged, ArticleErased, Subscriber, SubscriberServices } from '#outbox';
import {
  addSitemapFile,
  deleteSitemapEntries,
  findSitemapVersions,
  listSitemapNumbers,
  listStaleSitemapEntries,
  lockSitemapEntries,
  lockSitemapFile,
  recountSitemapFile,
  setSitemapEntries,
  takePlaces,
  touchSitemapFiles,
} from './queries.ts';
import { countArticles, listArticlesAfter } from '#reindex';
import type { FileChange, NewSitemapEntry, SitemapEntry, SitemapVersion } from './queries.ts';
import { articlesOf } from '#outbox';
import type { Rebuilding } from '#reindex';

/** More than anybody needs: each turn but the last meets a file that another filled at that moment. */
const turnsMax = 20;

/** For each of `count` articles the number of a file that has kept a place for this transaction. */
async function placesFor(tx: Tx, count: number, now: string): Promise<readonly number[]> {
  const places: number[] = [];
  for (let turn = 0; turn < turnsMax && places.length < count; turn += 1) {
    const taken = await takePlaces(tx, count - places.length, now);
    if (taken === undefined) await addSitemapFile(tx, now);
    else places.push(...Array.from({ length: taken.taken }, () => taken.number));
  }
  if (places.length < count) throw new Error('No file of the sitemap had a place.');
  return places;
}

function isSame(entry: SitemapEntry | undefined, version: SitemapVersion): boolean {
  return entry?.revision_id === version.revision_id && entry.lastmod === version.lastmod;
}

type Entries = ReadonlyMap<string, SitemapEntry>;
type Versions = ReadonlyMap<string, SitemapVersion>;

/** What becomes of entries that have a place: the files that read differently, and how much leaves each. */
function changesOf(
  entries: Entries,
  gone: readonly ArticleKey[],
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

/** Entries whose article has another version than they say, and a place already. */
function changedOf(
  keys: readonly ArticleKey[],
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
 * The entries are held first, and the articles are read by a later statement, so that an older run never
 * overwrites a newer one. The rows of files are held last, and shortest.
 */
async function place(tx: Tx, keys: readonly ArticleKey[], now: string): Promise<void> {
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
  if (changes.length > 0) void touchSitemapFiles(tx, changes, now);
  if (fresh.length === 0) return;
  const places = await placesFor(tx, fresh.length, now);
  const placed = fresh.flatMap((key, index) => {
    const [version, file] = [versions.get(key.id), places[index]];
    return version === undefined || file === undefined ? [] : [{ ...key, ...version, file }];
  });
  void setSitemapEntries(tx, placed);
}

/** Makes the places of articles in the sitemap what their present states ask for. */
export async function placeInSitemap(
  keys: readonly ArticleKey[],
  { db, now }: SubscriberServices,
): Promise<void> {
  await db.transaction((tx) => place(tx, keys, timestamp(now())));
}

/** Makes the count of one file what its entries are: nothing but damage ever parts the two. */
async function recount(number: number, { db, now }: SubscriberServices): Promise<void> {
  await db.transaction(async (tx) => {
    await Promise.all([
      lockSitemapFile(tx, number, timestamp(now())),
      recountSitemapFile(tx, number, timestamp(now())),
    ]);
  });
}

export const rebuildingSitemap: Rebuilding = {
  name: 'sitemap',
  version: 2,
  count: countArticles,
  next: listArticlesAfter,
  stale: listStaleSitemapEntries,
  rebuild: (id, services) => placeInSitemap([{ bucket: bucketOf(id), id }], services),
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
