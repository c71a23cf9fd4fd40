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

/** So many must be ranked for a search of the newest to be enough. */
const enough = 60;

interface Found {
  readonly rows: readonly RankedArticle[];
  readonly understood: Understood;
  /** How it was searched: twice the step back in time, and one more with words in place of others. */
  readonly stage: number;
}

/** Goes farther back in time as long as little was found; a page goes on where the one before looked. */
async function ranked(
  { db }: Reader,
  understood: Understood,
  request: SearchRequest,
  exact?: string,
): Promise<Pick<Found, 'rows'> & { readonly step: number }> {
  const { words, titleWords, own, query } = understood;
  const { place: after, limit } = request;
  if (titleWords === '') return { rows: [], step: 0 };
  const whereAt = await whereToSearch(db, understood, request);
  const wordCount = Math.max(1, query.words.length);
  const search = { words, titleWords, own, exact, wordCount, after, limit };
  let step = after === undefined ? 0 : after.stage >> 1;
  for (;;) {
    const where = whereAt(step);
    const rows = await searchArticles(db, { ...search, ...where });
    const isAll = where.spans === undefined && where.titleSpans === undefined;
    const candidates = rows[0]?.candidates ?? 0;
    if (isAll || after !== undefined || candidates >= enough) return { rows, step };
    step = stepAfter(step, candidates, enough);
  }
}

/** As it was typed; and where that does not fill the first page, with other words in place of some. */
async function search(reader: Reader, request: SearchRequest): Promise<Found> {
  const { query, place, limit } = request;
  const typed = await understand(reader.db, query, request);
  const goesOnWidened = place !== undefined && place.stage % 2 === 1;
  const { rows, step } = goesOnWidened
    ? { rows: [], step: 0 }
    : await ranked(reader, typed, request);
  const asTyped = { rows, understood: typed, stage: step * 2 };
  if (rows.length > limit || (place !== undefined && !goesOnWidened)) return asTyped;
  const wider = await widened(reader.db, query, rows.length === 0);
  if (wider === undefined) return asTyped;
  const understood = await understand(reader.db, wider, request);
  const exact = typed.titleWords === '' ? undefined : typed.titleWords;
  const other = await ranked(reader, understood, request, exact);
  return { rows: other.rows, understood, stage: other.step * 2 + 1 };
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
