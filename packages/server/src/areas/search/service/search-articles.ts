// The search for articles, with snippets.
import { limits } from '@colophon/contract';
import { listedWithPieces } from '#articles';
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import { findArticleHits } from '../queries/index.ts';
import type { RankedArticle } from '../queries/index.ts';
import { marksWanted } from '../rules/index-tags.ts';
import { wordCountOf } from '../rules/query-text.ts';
import { stepAfter } from '../rules/search-plan.ts';
import { pageOfRanked, untilOf } from '../rules/search-request.ts';
import type { FoundPage, SearchRequest } from '../rules/search-request.ts';
import { numberOf, stageOf } from '../rules/search-stage.ts';
import type { Level, Stage } from '../rules/search-stage.ts';
import { articleSnippets, firstPiece } from './article-snippets.ts';
import { resolveQuery, planSearch, widenQuery } from './resolve-query.ts';
import type { ResolvedQuery } from './resolve-query.ts';

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

interface Found {
  readonly rows: readonly RankedArticle[];
  readonly understood: ResolvedQuery;
  readonly stage: Stage;
}

/** The typed query, when alternatives are searched as well, and how far back it had results. */
interface Typed {
  readonly understood: ResolvedQuery;
  readonly step: number;
}

interface Wish {
  readonly least: number;
  readonly typed: Typed | undefined;
}

async function typedPart(db: Db, typed: Typed | undefined, request: SearchRequest) {
  if (typed === undefined) return undefined;
  const { words, titleWords, own } = typed.understood;
  const whereAt = await planSearch(db, typed.understood, request);
  return { words, titleWords, own, ...whereAt(typed.step) };
}

/**
 * Goes further back in time while there are too few results; a later page searches the same time as the
 * first.
 */
async function ranked(
  { db }: Reader,
  understood: ResolvedQuery,
  request: SearchRequest,
  { least, typed }: Wish,
): Promise<Pick<Found, 'rows'> & { readonly step: number }> {
  const { words, titleWords, whole, own, query } = understood;
  const { place: after, limit, filters } = request;
  if (titleWords === '') return { rows: [], step: 0 };
  const search = {
    words,
    titleWords,
    whole,
    own,
    typed: await typedPart(db, typed, request),
    wordCount: wordCountOf(query),
    marks: marksWanted(filters),
    since: filters.since,
    until: untilOf(request),
    after,
    limit,
  };
  const whereAt = await planSearch(db, understood, request);
  let step = after === undefined ? 0 : stageOf(after.stage).step;
  for (;;) {
    const where = whereAt(step);
    const rows = await findArticleHits(db, { ...search, ...where });
    const isAll = where.spans === undefined && where.titleSpans === undefined;
    const candidates = rows[0]?.candidates ?? 0;
    if (isAll || after !== undefined || candidates >= least) return { rows, step };
    step = stepAfter(step, candidates, least);
  }
}

/** Returns undefined if there are no alternatives. `typed` is the typed query, if it had results. */
async function searchWidened(
  reader: Reader,
  request: SearchRequest,
  level: Exclude<Level, 'typed'>,
  typed: Typed | undefined,
): Promise<Found | undefined> {
  const wider = await widenQuery(reader.db, request.query, level === 'every');
  if (wider === undefined) return undefined;
  const understood = await resolveQuery(reader.db, wider, request);
  const least = typed === undefined ? enough.guessed : enough.typed;
  const { rows, step } = await ranked(reader, understood, request, { least, typed });
  return { rows, understood, stage: { level, step, typedStep: typed?.step } };
}

/**
 * Searches for the query as typed; if that does not fill the page, with alternatives for words that are in
 * no title; if that finds nothing, with alternatives for all words, which scans far more of the index.
 */
async function searchAsTyped(
  reader: Reader,
  request: SearchRequest,
  understood: ResolvedQuery,
): Promise<Found> {
  const wish = { least: enough.typed, typed: undefined };
  const { rows, step } = await ranked(reader, understood, request, wish);
  const asTyped: Found = {
    rows,
    understood,
    stage: { level: 'typed', step, typedStep: undefined },
  };
  if (rows.length > request.limit || request.place !== undefined) return asTyped;
  const typed = rows.length === 0 ? undefined : { understood, step };
  const found = (await searchWidened(reader, request, 'unknown', typed)) ?? asTyped;
  if (found.rows.length > 0) return found;
  return (await searchWidened(reader, request, 'every', typed)) ?? asTyped;
}

/** Searches a later page in the same way as the first. */
async function search(reader: Reader, request: SearchRequest): Promise<Found> {
  const understood = await resolveQuery(reader.db, request.query, request);
  const stage = stageOf(request.place?.stage ?? 0);
  if (stage.level === 'typed') return await searchAsTyped(reader, request, understood);
  const { level, typedStep: step } = stage;
  const typed = step === undefined ? undefined : { understood, step };
  return (await searchWidened(reader, request, level, typed)) ?? { rows: [], understood, stage };
}

/** Returns a page of a search for articles; articles that are not listed at this moment are omitted. */
export async function searchArticles(reader: Reader, request: SearchRequest) {
  const { rows, understood, stage } = await search(reader, request);
  const { shown, next } = pageOfRanked(rows, request, {
    stage: numberOf(stage),
    most: limits.search_results_max,
  });
  const configurations = new Map(shown.map(({ id, configuration }) => [id, configuration]));
  const found = await listedWithPieces(reader, [...configurations.keys()], firstPiece);
  const texts = found.map(({ article: { id }, piece }) => ({
    id,
    configuration: configurations.get(id) ?? 'simple',
    content: piece,
  }));
  const snippets = await articleSnippets(reader.db, texts, understood);
  const items = found.flatMap(({ article }) => {
    const snippet = snippets.get(article.id);
    return snippet === undefined ? [] : [{ type: 'article' as const, article, snippet }];
  });
  return { items, next } satisfies FoundPage<unknown>;
}
