// Articles that a search found, with the place of the text where it found them.
import { limits } from '@colophon/contract';
import { listedWithPieces } from '#articles';
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import { searchArticles } from '../queries/index.ts';
import type { RankedArticle } from '../queries/index.ts';
import { stepAfter } from '../rules/search-plan.ts';
import { pageOfRanked } from '../rules/search-request.ts';
import type { FoundPage, SearchRequest } from '../rules/search-request.ts';
import { articleSnippets, firstPiece } from './article-snippets.ts';
import { understand, whereToSearch, widened } from './understanding.ts';
import type { Understood } from './understanding.ts';

interface Reader {
  readonly db: Db;
  readonly config: Config;
  readonly caller: Caller | null;
}

/** So many must be ranked for a search of the newest to be enough; fewer where nothing is there as it was typed. */
const enough = { typed: 60, guessed: 20 } as const;

/** With which words it is searched: as typed; others for those that no title has; others for every one. */
const levels = ['typed', 'unknown', 'every'] as const;
type Level = (typeof levels)[number];

interface Found {
  readonly rows: readonly RankedArticle[];
  readonly understood: Understood;
  /** How it was searched, level and step back in time, for the pages after it. */
  readonly stage: number;
}

const stageOf = (level: Level, step: number) => step * levels.length + levels.indexOf(level);
const stepOf = (stage: number) => Math.floor(stage / levels.length);
const levelOf = (stage: number): Level => levels[stage % levels.length] ?? 'typed';

/** Goes farther back in time as long as little was found; a page goes on where the one before looked. */
async function ranked(
  { db }: Reader,
  understood: Understood,
  request: SearchRequest,
  { least, exact }: { readonly least: number; readonly exact?: string | undefined },
): Promise<Pick<Found, 'rows'> & { readonly step: number }> {
  const { words, titleWords, own, query } = understood;
  const { place: after, limit } = request;
  if (titleWords === '') return { rows: [], step: 0 };
  const whereAt = await whereToSearch(db, understood, request);
  const wordCount = Math.max(1, query.words.length);
  const search = { words, titleWords, own, exact, wordCount, after, limit };
  let step = after === undefined ? 0 : stepOf(after.stage);
  for (;;) {
    const where = whereAt(step);
    const rows = await searchArticles(db, { ...search, ...where });
    const isAll = where.spans === undefined && where.titleSpans === undefined;
    const candidates = rows[0]?.candidates ?? 0;
    if (isAll || after !== undefined || candidates >= least) return { rows, step };
    step = stepAfter(step, candidates, least);
  }
}

/** Undefined where there is nothing to put in place of a word. */
async function searchWidened(
  reader: Reader,
  request: SearchRequest,
  typed: Pick<Found, 'rows' | 'understood'>,
  level: Exclude<Level, 'typed'>,
): Promise<Found | undefined> {
  const wider = await widened(reader.db, request.query, level === 'every');
  if (wider === undefined) return undefined;
  const understood = await understand(reader.db, wider, request);
  const { titleWords } = typed.understood;
  const { rows, step } = await ranked(reader, understood, request, {
    least: typed.rows.length > 0 ? enough.typed : enough.guessed,
    exact: titleWords === '' ? undefined : titleWords,
  });
  return { rows, understood, stage: stageOf(level, step) };
}

/**
 * As it was typed; where that does not fill the first page, with other words in place of those that no title
 * has; where nothing is found, in place of every one, which goes through far more of the index.
 */
async function search(reader: Reader, request: SearchRequest): Promise<Found> {
  const { query, place, limit } = request;
  const understood = await understand(reader.db, query, request);
  const nothing: Found = { rows: [], understood, stage: 0 };
  const level = place === undefined ? 'typed' : levelOf(place.stage);
  if (level !== 'typed') return (await searchWidened(reader, request, nothing, level)) ?? nothing;
  const { rows, step } = await ranked(reader, understood, request, { least: enough.typed });
  const typed = { rows, understood, stage: stageOf('typed', step) };
  if (rows.length > limit || place !== undefined) return typed;
  const found = (await searchWidened(reader, request, typed, 'unknown')) ?? typed;
  if (found.rows.length > 0) return found;
  return (await searchWidened(reader, request, typed, 'every')) ?? typed;
}

/** The page of a search over articles; what is not listed at this moment is left out. */
export async function articleHits(reader: Reader, request: SearchRequest) {
  const { rows, understood, stage } = await search(reader, request);
  const { shown, next } = pageOfRanked(rows, request, { stage, most: limits.search_results_max });
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
