// Gives every listed article a place in the sitemap, once, and takes it out when it is listed no more.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { ArticleChanged, ArticleErased, Reaction, ReactionServices } from '#outbox';
import {
  addSitemapFile,
  countArticles,
  deleteSitemapEntry,
  findSitemapVersion,
  listArticlesAfter,
  listSitemapNumbers,
  listStaleSitemapEntries,
  lockSitemapEntry,
  lockSitemapFile,
  recountSitemapFile,
  setSitemapEntry,
  takePlace,
  touchSitemapFile,
} from '../queries/index.ts';
import type { ArticleKey, SitemapEntry, SitemapVersion } from '../queries/index.ts';
import type { Rebuilding } from './rebuilding.ts';

/** More than anybody needs: each turn but the last meets a file that another filled at that moment. */
const turnsMax = 20;

/** The number of a file that has kept a place for this transaction. */
async function placeIn(tx: Tx, now: string): Promise<number> {
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const file = await takePlace(tx, now);
    if (file !== undefined) return file;
    await addSitemapFile(tx, now);
  }
  throw new Error('No file of the sitemap had a place.');
}

function takeOut(tx: Tx, key: ArticleKey, file: number | null, now: string): void {
  void deleteSitemapEntry(tx, key);
  if (file !== null) void touchSitemapFile(tx, file, 1, now);
}

function isSame(entry: SitemapEntry | undefined, version: SitemapVersion): boolean {
  return entry?.revision_id === version.revision_id && entry.lastmod === version.lastmod;
}

/**
 * The entry is held first, and the article is read by a later statement, so that an older run never
 * overwrites a newer one. The file's row is held last, and shortest.
 */
async function place(tx: Tx, key: ArticleKey, now: string): Promise<void> {
  const [entry, version] = await Promise.all([
    lockSitemapEntry(tx, key, now),
    findSitemapVersion(tx, key),
  ]);
  const file = entry?.file ?? null;
  if (version === undefined) return takeOut(tx, key, file, now);
  if (file === null) {
    const taken = await placeIn(tx, now);
    void setSitemapEntry(tx, key, { file: taken, ...version });
    return;
  }
  if (isSame(entry, version)) return;
  void setSitemapEntry(tx, key, { file, ...version });
  void touchSitemapFile(tx, file, 0, now);
}

/** Makes an article's place in the sitemap what its present state asks for. */
export async function placeInSitemap(
  key: ArticleKey,
  { db, now }: ReactionServices,
): Promise<void> {
  await db.transaction((tx) => place(tx, key, timestamp(now())));
}

/** Makes the count of one file what its entries are: nothing but damage ever parts the two. */
async function recount(number: number, { db, now }: ReactionServices): Promise<void> {
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
  rebuild: (id, services) => placeInSitemap({ bucket: bucketOf(id), id }, services),
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

const onArticleChanged: Reaction<ArticleChanged> = {
  type: 'article.changed',
  name: 'placeInSitemap',
  run: ({ bucket, payload }, services) =>
    placeInSitemap({ bucket, id: payload.article_id }, services),
};

const onArticleErased: Reaction<ArticleErased> = {
  type: 'article.erased',
  name: 'takeOutOfSitemap',
  run: ({ bucket, payload }, services) =>
    placeInSitemap({ bucket, id: payload.article_id }, services),
};

export const sitemapReactions: readonly Reaction[] = [onArticleChanged, onArticleErased];
