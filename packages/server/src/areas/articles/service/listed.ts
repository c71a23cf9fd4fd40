// Articles as derived lists and pages show them.
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import { bucketOf } from '#lib/id';
import {
  findStanding,
  listNewestDrafts,
  listNewestOf,
  listListedOf,
  listListedWithPiece,
} from '../queries/index.ts';
import type { Piece } from '../queries/index.ts';
import { articleSummaries } from '../views.ts';

interface Reading {
  readonly db: Db;
  readonly config: Config;
  readonly caller: Caller | null;
}

/**
 * The articles of these ids as they stand in a list, in the order of the ids, one round trip. Those that
 * are not listed at this moment are left out: whatever a derived table still says, nobody sees them.
 */
export async function listedSummaries({ db, config, caller }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await listListedOf(db, ids);
  const summaries = await articleSummaries(rows, config, caller);
  const byId = new Map(summaries.map((article) => [article.id, article]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The same, each with a piece of its text, in the order of the ids; one round trip. */
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

/** The newest drafts of the caller. */
export async function newestDrafts({ db, config, caller }: Reading, limit: number) {
  if (caller === null) return [];
  return articleSummaries(await listNewestDrafts(db, caller, limit), config, caller);
}

/** The newest listed articles of these authors. */
export async function newestOf(
  { db, config, caller }: Reading,
  authors: readonly string[],
  limit: number,
) {
  if (authors.length === 0) return [];
  return articleSummaries(await listNewestOf(db, authors, limit), config, caller);
}

/** How an article stands whose page is shown: a search engine is not led to what no list leads to. */
export async function standingOfShown(db: Db, id: string) {
  const row = await findStanding(db, { bucket: bucketOf(id), id });
  const { listed = false, revised_at = null, excerpt = '' } = row ?? {};
  return { listed, revised_at, excerpt };
}
