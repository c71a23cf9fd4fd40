// The search for articles: candidates are ranked in wider and wider extents until there are enough.
import { listListedPieces, listedWithPieces } from '#articles';
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import { yieldAfterPieces } from '#lib/pieces';
import { listRankedArticles } from '../queries/rank-articles.ts';
import type { RankedArticle } from '../queries/rank-articles.ts';
import { pageOf } from '../rules/search-request.ts';
import type { FoundPage, ResolvedQuery } from '../rules/search-request.ts';
import type { Snippet } from '../rules/snippets.ts';
import { planSearch, stepAfter } from './plan-search.ts';
import { widenQuery } from './resolve-query.ts';
import { beginningOf, snippetsOf } from './text-snippets.ts';
import type { Configurations, FoundText } from './text-snippets.ts';

interface Reader {
  readonly db: Db;
  readonly config: Config;
  readonly caller: Caller | null;
}

/** The words to search: as typed; with alternatives for words in no title; with alternatives for all. */
export const levels = ['typed', 'unknown', 'every'] as const;
type Level = (typeof levels)[number];

/** How much a search covers: which words, and how far back in time. Its number is in the cursor. */
interface Extent {
  readonly level: Level;
  /** How far back in time. */
  readonly step: number;
  /** The step of the typed query; undefined if it found nothing, or if the level is `typed`. */
  readonly typedStep: number | undefined;
}

/** More than any search needs: the whole index is reached in far fewer steps. */
const steps = 64;

const clampStep = (step: number) => Math.min(step, steps - 1);

export function numberOf({ level, step, typedStep }: Extent): number {
  const typed = typedStep === undefined ? 0 : clampStep(typedStep) + 1;
  return (typed * steps + clampStep(step)) * levels.length + levels.indexOf(level);
}

export function extentOf(number: number): Extent {
  const both = Math.floor(number / levels.length);
  const typed = Math.floor(both / steps);
  return {
    level: levels[number % levels.length] ?? 'typed',
    step: both % steps,
    typedStep: typed === 0 ? undefined : typed - 1,
  };
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

/** The part of a text that is searched first; usually all of it. */
const firstPiece = { from: 1, length: 12_000 } as const;
/** The part that is searched next, for a few texts without a match in the first. */
const secondPiece = { from: firstPiece.length + 1, length: 200_000 } as const;
const secondLooks = 5;

/** Returns snippets of articles by id, from later parts of texts that have no match at the beginning. */
async function laterSnippets(
  db: Db,
  query: ResolvedQuery,
  texts: readonly FoundText[],
  configurations: Configurations,
): Promise<ReadonlyMap<string, Snippet>> {
  const cut = texts.filter(({ content }) => content.length >= firstPiece.length);
  const ids = cut.slice(0, secondLooks).map(({ id }) => id);
  const pieces = ids.length === 0 ? [] : await listListedPieces(db, ids, secondPiece);
  const later = pieces.map(({ id, piece }) => ({ id, content: piece }));
  return snippetsOf(db, query, later, configurations);
}

/** Returns a page of a search for articles; articles that are not listed at this moment are omitted. */
export async function searchArticles(reader: Reader, resolved: ResolvedQuery) {
  const { rows, query, extent } = await search(reader.db, resolved);
  const { shown, next } = pageOf(rows, query.request, numberOf(extent));
  const configurations = new Map(shown.map(({ id, configuration }) => [id, configuration]));
  const found = await listedWithPieces(reader, [...configurations.keys()], firstPiece);
  const texts = found.map(({ article: { id }, piece }) => ({ id, content: piece }));
  const first = await snippetsOf(reader.db, query, texts, configurations);
  const unfound = texts.filter(({ id }) => !first.has(id));
  const later = await laterSnippets(reader.db, query, unfound, configurations);
  const items = [];
  const yieldIfDue = yieldAfterPieces();
  for (const { article, piece } of found) {
    await yieldIfDue(piece.length);
    const snippet = first.get(article.id) ?? later.get(article.id) ?? beginningOf(piece);
    items.push({ type: 'article' as const, article, snippet });
  }
  return { items, next } satisfies FoundPage<unknown>;
}
