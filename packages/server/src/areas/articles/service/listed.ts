// Articles for derived lists.
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import {
  listNewestDrafts,
  listNewestOf,
  listListedOf,
  listListedWithPiece,
} from '../queries/index.ts';
import type { Piece } from '../queries/index.ts';
import { articleSummaries } from '../views/articles.ts';

interface Reading {
  readonly db: Db;
  readonly config: Config;
  readonly caller: Caller | null;
}

/**
 * Returns the summaries of the articles with these ids, in the order of the ids, in one round trip. Articles
 * that are not listed now are omitted, whatever a derived row says.
 */
export async function listedSummaries({ db, config, caller }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await listListedOf(db, ids);
  const summaries = await articleSummaries(rows, config, caller);
  const byId = new Map(summaries.map((article) => [article.id, article]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the same with a piece of each text, in the order of the ids, in one round trip. */
export async function listedWithPieces(
  { db, config, caller }: Reading,
  ids: readonly string[],
  piece: Piece,
) {
  if (ids.length === 0) return [];
  const rows = await listListedWithPiece(db, ids, piece);
  const summaries = await articleSummaries(rows, config, caller);
  const byId = new Map(
    rows.flatMap(({ id, piece }, at) => {
      const article = summaries[at];
      return article === undefined ? [] : [[id, { article, piece }]];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the newest drafts of the caller. */
export async function newestDrafts({ db, config, caller }: Reading, limit: number) {
  if (caller === null) return [];
  return articleSummaries(await listNewestDrafts(db, caller, limit), config, caller);
}

/** Returns the newest listed articles of these authors. */
export async function newestOf(
  { db, config, caller }: Reading,
  authors: readonly string[],
  limit: number,
) {
  if (authors.length === 0) return [];
  return articleSummaries(await listNewestOf(db, authors, limit), config, caller);
}
