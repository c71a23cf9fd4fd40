// The search for articles: candidates are ranked in wider and wider extents until there are enough.
import { listedWithPieces } from '#articles';
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import { listRankedArticles } from '../queries/rank-articles.ts';
import type { RankedArticle } from '../queries/rank-articles.ts';
import { stepAfter } from '../rules/plan-search.ts';
import { extentOf, numberOf, pageOf } from '../rules/search-page.ts';
import type { Extent, FoundPage, Level } from '../rules/search-page.ts';
import type { ResolvedQuery } from '../rules/search-request.ts';
import { articleSnippets, firstPiece } from './article-snippets.ts';
import { planSearch } from './plan-search.ts';
import { widenQuery } from './resolve-query.ts';

interface Reader {
  readonly db: Db;
  readonly config: Config;
  readonly caller: Caller | null;
}

/**
 * The number of ranked articles with which a search of the newest ones ends; fewer if the typed query had
 * no results.
 */
const enough = { typed: 60, guessed: 20 } as const;

/** Ranked articles, the query that they match, and how far back in time they were searched. */
interface Ranked {
  readonly rows: readonly RankedArticle[];
  readonly query: ResolvedQuery;
  readonly step: number;
}

interface Found extends Ranked {
  readonly extent: Extent;
}

/**
 * Goes further back in time while there are too few results; a later page searches the same time as the
 * first. `typed` is the query as typed, if `query` is wider and the typed one had results: those rank first.
 */
async function rankArticles(
  db: Db,
  query: ResolvedQuery,
  least: number,
  typed?: ResolvedQuery,
): Promise<Ranked> {
  const { after } = query.request;
  if (query.titleWords === '') return { rows: [], query, step: 0 };
  const plannedAt = await planSearch(db, query);
  let step = after === undefined ? 0 : extentOf(after.extent).step;
  for (;;) {
    const planned = plannedAt(step);
    const rows = await listRankedArticles(db, planned, typed);
    const isAll = planned.spans === undefined && planned.titleSpans === undefined;
    const candidates = rows[0]?.candidates ?? 0;
    if (isAll || after !== undefined || candidates >= least) return { rows, query: planned, step };
    step = stepAfter(step, candidates, least);
  }
}

/** Searches with alternatives; returns undefined if there are none. `typed` had results, if it is given. */
async function searchWidened(
  db: Db,
  query: ResolvedQuery,
  level: Exclude<Level, 'typed'>,
  typed: Pick<Ranked, 'query' | 'step'> | undefined,
): Promise<Found | undefined> {
  const wider = await widenQuery(db, query, level === 'every');
  if (wider === undefined) return undefined;
  const least = typed === undefined ? enough.guessed : enough.typed;
  const found = await rankArticles(db, wider, least, typed?.query);
  return { ...found, extent: { level, step: found.step, typedStep: typed?.step } };
}

/**
 * Searches for the query as typed; if that does not fill the page, with alternatives for words that are in
 * no title; if that finds nothing, with alternatives for all words, which scans far more of the index.
 */
async function searchAsTyped(db: Db, query: ResolvedQuery): Promise<Found> {
  const { limit, after } = query.request;
  const ranked = await rankArticles(db, query, enough.typed);
  const { rows, step } = ranked;
  const asTyped: Found = { ...ranked, extent: { level: 'typed', step, typedStep: undefined } };
  if (rows.length > limit || after !== undefined) return asTyped;
  const typed = rows.length === 0 ? undefined : ranked;
  const found = (await searchWidened(db, query, 'unknown', typed)) ?? asTyped;
  if (found.rows.length > 0) return found;
  return (await searchWidened(db, query, 'every', typed)) ?? asTyped;
}

/** Searches a later page in the same extent as the first. */
async function search(db: Db, query: ResolvedQuery): Promise<Found> {
  const extent = extentOf(query.request.after?.extent ?? 0);
  const { level, typedStep: step } = extent;
  if (level === 'typed') return await searchAsTyped(db, query);
  const typed =
    step === undefined ? undefined : { query: (await planSearch(db, query))(step), step };
  const found = await searchWidened(db, query, level, typed);
  return found ?? { rows: [], query, step: 0, extent };
}

/** Returns a page of a search for articles; articles that are not listed at this moment are omitted. */
export async function searchArticles(reader: Reader, resolved: ResolvedQuery) {
  const { rows, query, extent } = await search(reader.db, resolved);
  const { shown, next } = pageOf(rows, query.request, numberOf(extent));
  const configurations = new Map(shown.map(({ id, configuration }) => [id, configuration]));
  const found = await listedWithPieces(reader, [...configurations.keys()], firstPiece);
  const texts = found.map(({ article: { id }, piece }) => ({
    id,
    configuration: configurations.get(id) ?? 'simple',
    content: piece,
  }));
  const snippets = await articleSnippets(reader.db, texts, query);
  const items = found.flatMap(({ article }) => {
    const snippet = snippets.get(article.id);
    return snippet === undefined ? [] : [{ type: 'article' as const, article, snippet }];
  });
  return { items, next } satisfies FoundPage<unknown>;
}
