// Resolves a query with PostgreSQL, and plans which part of the index to search.
import type { Db } from '#database';
import { stripDiacritics } from '#lib/slug';
import {
  listKnownWords,
  listNearbyWords,
  lexizeQueries,
  listWordsBegunBy,
} from '../queries/index.ts';
import type { ArticleSearch, LexizedQuery } from '../queries/index.ts';
import { configurationOf } from '../rules/languages.ts';
import { marksWanted } from '../rules/index-tags.ts';
import { readQuery, withAlternatives, withoutLast } from '../rules/query-text.ts';
import type { QueryText } from '../rules/query-text.ts';
import { askedOf, ownQueries, requiredOf, tsqueryOf, withoutImplied } from '../rules/tsquery.ts';
import { spansToSearch } from '../rules/search-plan.ts';
import { asOf } from '../rules/search-request.ts';
import type { SearchRequest } from '../rules/search-request.ts';
import { completionsOf, correctionsOf, mayBeginWords, nearbyOf } from '../rules/spelling.ts';
import { bucketOfWord } from '../rules/title-words.ts';
import { knownStatistics } from './known-statistics.ts';

/** A query as PostgreSQL parses it. */
export interface ResolvedQuery {
  readonly query: QueryText;
  readonly readings: readonly LexizedQuery[];
  /** A tsquery as text; empty if there is nothing to search for. */
  readonly words: string;
  /** Also matches the words without accents, as titles do, and omits the exclusions. */
  readonly titleWords: string;
  /** The same with the exclusions, for title and text together; undefined if nothing is excluded. */
  readonly whole: string | undefined;
  /** The ranking queries of each configuration. */
  readonly own: ReturnType<typeof ownQueries>;
}

const hasUnwanted = ({ groups }: QueryText) =>
  groups.some(({ unwanted, unwantedPairs }) => unwanted.length + unwantedPairs.length > 0);

/** Returns the query without its exclusions. */
function wantedOf({ groups, ...query }: QueryText): QueryText {
  return {
    ...query,
    groups: groups.map((group) => ({ ...group, unwanted: [], unwantedPairs: [] })),
  };
}

const withoutUnwanted = (readings: readonly LexizedQuery[]): readonly LexizedQuery[] =>
  readings.map((reading) => ({ ...reading, unwanted: null }));

/** Parses a query with the configuration of the requested language, or with each one in use. */
export async function resolveQuery(
  db: Db,
  query: QueryText,
  { text, filters: { language } }: SearchRequest,
): Promise<ResolvedQuery> {
  const plain = readQuery(stripDiacritics(text));
  const isPlain = plain.words.join(' ') === query.words.join(' ');
  const configurations = language === undefined ? undefined : ['simple', configurationOf(language)];
  const [all, plainReadings] = await Promise.all([
    lexizeQueries(db, askedOf(query), configurations),
    isPlain ? [] : lexizeQueries(db, askedOf(plain), ['simple']),
  ]);
  const readings = withoutImplied(all);
  const words = tsqueryOf(query, readings);
  const either = (...queries: readonly string[]) => queries.filter(Boolean).join(' | ');
  const titleWords = either(
    tsqueryOf(wantedOf(query), withoutUnwanted(readings)),
    tsqueryOf(wantedOf(plain), withoutUnwanted(plainReadings)),
  );
  const whole = hasUnwanted(query) ? either(words, tsqueryOf(plain, plainReadings)) : undefined;
  return { query, readings, words, titleWords, whole, own: ownQueries(query, all) };
}

type Where = Pick<ArticleSearch, 'spans' | 'titleSpans'>;

/**
 * Returns a function that plans the search: everywhere for rare words, among the newest articles for very
 * common ones. Call it with 0, then 1 and so on, while the previous step found too little.
 */
export async function planSearch(
  db: Db,
  { query, readings }: ResolvedQuery,
  request: SearchRequest,
): Promise<(step: number) => Where> {
  const marks = marksWanted(request.filters);
  const { since, until } = request.filters;
  const { shares, horizons } = await knownStatistics(db, request.now);
  // Later pages search the same time as the first one.
  const now = asOf(request);
  const required = requiredOf(query, readings).map((lists) => [
    ...lists,
    ...marks.map((mark) => [mark]),
  ]);
  const spansOf = (place: 'document' | 'title', step: number) =>
    spansToSearch(required, shares[place], horizons, { since, until, now, step });
  return (step) => ({
    spans: spansOf('document', step),
    titleSpans: spansOf('title', step),
  });
}

/** More words than this are not checked for typos: they are unlikely to be a title. */
const mostWords = 12;

function knownOf(db: Db, words: readonly string[]): Promise<readonly string[]> {
  return listKnownWords(
    db,
    words.map((word) => ({ bucket: bucketOfWord(word), word })),
  );
}

async function correctionsFor(db: Db, words: readonly string[]) {
  const found = await Promise.all(
    words.map(async (word) => {
      const nearby = nearbyOf(word);
      const near = nearby.length === 0 ? [] : await listNearbyWords(db, nearby);
      return [word, correctionsOf(word, near)] as const;
    }),
  );
  return new Map(found.filter(([, others]) => others.length > 0));
}

/** Returns alternatives for each of these words: words one edit away, and completions of the last one. */
async function othersFor(
  db: Db,
  words: readonly string[],
  begun: string | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [others, longer] = await Promise.all([
    correctionsFor(db, words),
    begun === undefined ? [] : listWordsBegunBy(db, begun),
  ]);
  if (begun === undefined) return others;
  const all = [...(others.get(begun) ?? []), ...completionsOf(begun, longer)];
  return all.length === 0 ? others : others.set(begun, all);
}

/**
 * Returns the query with alternatives for its words: for words in no title, which may have a typo, or for
 * all words if `every` is true. The last word may be incomplete; with `every`, it is removed if it is too
 * short to complete. Returns undefined if there are no alternatives.
 */
export async function widenQuery(
  db: Db,
  query: QueryText,
  every: boolean,
): Promise<QueryText | undefined> {
  const words = query.words.slice(0, mostWords);
  const { last = '' } = query;
  const begun = mayBeginWords(last) ? last : undefined;
  const known = every ? [] : await knownOf(db, words);
  const doubted = words.filter((word) => !known.includes(word));
  const others = await othersFor(db, doubted, begun);
  if (others.size > 0) return withAlternatives(query, others);
  return every && begun === undefined ? withoutLast(query) : undefined;
}
