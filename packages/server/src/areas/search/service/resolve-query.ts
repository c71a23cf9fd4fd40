// Resolves a query: reads its words with the dictionaries, combines the readings into tsqueries, and finds alternatives
// for its words.
import type { Db } from '#database';
import { stripDiacritics } from '#lib/slug';
import {
  listKnownWords,
  listNearbyWords,
  listReadings,
  listWordsBegunBy,
} from '../queries/query-words.ts';
import type { Reading } from '../queries/query-words.ts';
import { configurationOf, marksWanted } from '../rules/index-tags.ts';
import { parseQuery, withAlternatives, withoutLast } from '../rules/parse-query.ts';
import type { Group, ParsedQuery } from '../rules/parse-query.ts';
import type { OwnQuery, Required, ResolvedQuery, SearchRequest } from '../rules/search-request.ts';
import { completionsOf, correctionsOf, mayBeginWords, nearbyOf } from '../rules/spelling.ts';
import { quoteLexeme } from '../rules/text-forms.ts';

const allOf = (pairs: readonly string[]) => pairs.map(quoteLexeme).join(' & ');

function conditionsOf(group: Group, { plain, choices, unwanted }: Reading): string | undefined {
  const words = [plain, ...choices].filter((query) => query !== null);
  // Only stop words: this configuration has nothing to search for.
  if (group.wanted.length > 0 && words.length === 0) return undefined;
  const pairs = group.pairs.length === 0 ? [] : [allOf(group.pairs)];
  const starts = group.starts.map((start) => `${quoteLexeme(start)}:*`);
  const without = [unwanted, ...group.unwantedPairs.map(allOf)].filter(Boolean);
  return [...words, ...pairs, ...starts, ...without.map((query) => `!(${query})`)]
    .map((condition) => `(${condition})`)
    .join(' & ');
}

/**
 * Returns a tsquery as text that combines all parses of a query; empty if there is nothing to search for.
 */
export function tsqueryOf({ groups }: ParsedQuery, readings: readonly Reading[]): string {
  const conditions = readings.flatMap((reading) => {
    const group = groups[reading.part_of];
    return (group && conditionsOf(group, reading)) ?? [];
  });
  return [...new Set(conditions)].map((condition) => `(${condition})`).join(' | ');
}

const LEXEME = /'((?:[^'\\]|''|\\.)*)'/gs;

function lexemesIn(tsquery: string): readonly string[] {
  return [...tsquery.matchAll(LEXEME)].map(([, lexeme = '']) =>
    lexeme.replaceAll("''", "'").replaceAll(/\\(.)/gs, '$1'),
  );
}

/** Returns the lexemes of a parse that requires all of them and nothing else; otherwise undefined. */
function allWanted({ plain, choices, unwanted }: Reading): ReadonlySet<string> | undefined {
  if (plain === null || choices.length > 0 || unwanted !== null) return undefined;
  return /^[()& ]*$/.test(plain.replaceAll(LEXEME, '')) ? new Set(lexemesIn(plain)) : undefined;
}

/**
 * Removes parses that find nothing beyond what another one finds: if one language drops `the` as a stop
 * word, other languages still require it. Fewer conditions make a search faster.
 */
export function withoutImplied(readings: readonly Reading[]): readonly Reading[] {
  const wanted = readings.map(allWanted);
  return readings.filter((reading, index) => {
    const own = wanted[index];
    return !readings.some((other, place) => {
      const others = wanted[place];
      if (own === undefined || others === undefined || other.part_of !== reading.part_of)
        return false;
      const isImplied = others.isSubsetOf(own);
      return isImplied && (others.size < own.size || place < index);
    });
  });
}

/** Returns the distinct lexemes of all parses. */
export function lexemesOf(readings: readonly Reading[]): readonly string[] {
  const texts = readings.flatMap(({ plain, choices }) => [plain ?? '', ...choices]);
  return [...new Set(texts.flatMap(lexemesIn))];
}

/** Returns the requirements of each parse. */
export function requiredOf(
  { groups }: ParsedQuery,
  readings: readonly Reading[],
): readonly Required[] {
  return readings.map(({ part_of, plain, choices }) => [
    ...lexemesIn(plain ?? '').map((lexeme) => [lexeme]),
    ...choices.map(lexemesIn),
    ...(groups[part_of]?.pairs ?? []).map((pair) => [pair]),
  ]);
}

/**
 * Returns the ranking queries of each configuration: its own query, any one word of it, and its phrase;
 * null if there is no phrase.
 */
export function ownQueries(query: ParsedQuery, readings: readonly Reading[]): readonly OwnQuery[] {
  const names = [...new Set(readings.flatMap(({ configurations }) => configurations))];
  return names.map((configuration) => {
    const own = readings.filter(({ configurations }) => configurations.includes(configuration));
    const lexemes = lexemesOf(own).map(quoteLexeme);
    const phrases = own.flatMap(({ phrase, choices }) =>
      choices.length > 0 ? [] : (phrase ?? []),
    );
    return {
      configuration,
      words: tsqueryOf(query, own),
      anyWord: lexemes.join(' | '),
      phrase: phrases.length === 0 ? null : phrases.map((phrase) => `(${phrase})`).join(' | '),
    };
  });
}

const hasUnwanted = ({ groups }: ParsedQuery) =>
  groups.some(({ unwanted, unwantedPairs }) => unwanted.length + unwantedPairs.length > 0);

/** Returns the tsquery of a query without its exclusions. */
function wantedOf({ groups, ...parsed }: ParsedQuery, readings: readonly Reading[]): string {
  const wanted = groups.map((group) => ({ ...group, unwanted: [], unwantedPairs: [] }));
  const without = readings.map((reading) => ({ ...reading, unwanted: null }));
  return tsqueryOf({ ...parsed, groups: wanted }, without);
}

const either = (...queries: readonly string[]) => queries.filter(Boolean).join(' | ');

/** Returns the dictionaries to read a query with; undefined: each one in use. Names have no language. */
function configurationsOf({ type, filters: { language } }: SearchRequest) {
  if (type === 'principal') return ['simple'];
  return language === undefined ? undefined : ['simple', configurationOf(language)];
}

/** Resolves a request, or another form of its query: one with alternatives. */
export async function resolveQuery(
  db: Db,
  request: SearchRequest,
  parsed: ParsedQuery = parseQuery(request.text),
): Promise<ResolvedQuery> {
  // Only titles are also found without accents.
  const plain = request.type === 'article' ? parseQuery(stripDiacritics(request.text)) : parsed;
  const isPlain = plain.words.join(' ') === parsed.words.join(' ');
  const [all, plainReadings] = await Promise.all([
    listReadings(db, parsed, configurationsOf(request)),
    isPlain ? [] : listReadings(db, plain, ['simple']),
  ]);
  const readings = withoutImplied(all);
  const words = tsqueryOf(parsed, readings);
  const marks = marksWanted(request.filters);
  const listsOfMarks = marks.map((mark) => [mark]);
  return {
    request,
    parsed,
    words,
    titleWords: either(wantedOf(parsed, readings), wantedOf(plain, plainReadings)),
    whole: hasUnwanted(parsed) ? either(words, tsqueryOf(plain, plainReadings)) : undefined,
    own: ownQueries(parsed, all),
    required: requiredOf(parsed, readings).map((lists) => [...lists, ...listsOfMarks]),
    lexemes: lexemesOf(readings),
    marks,
  };
}

/** More words than this are not checked for typos: they are unlikely to be a title. */
const mostWords = 12;

/** Returns alternatives for each of these words: words one edit away, and completions of the last one. */
async function othersFor(
  db: Db,
  words: readonly string[],
  begun: string | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const numbers = words.map(nearbyOf);
  const [longer, ...near] = await Promise.all([
    begun === undefined ? [] : listWordsBegunBy(db, begun),
    ...numbers.map((nearby) => (nearby.length === 0 ? [] : listNearbyWords(db, nearby))),
  ]);
  const others = new Map(words.map((word, at) => [word, correctionsOf(word, near[at] ?? [])]));
  if (begun !== undefined)
    others.set(begun, [...(others.get(begun) ?? []), ...completionsOf(begun, longer)]);
  return new Map([...others].filter(([, found]) => found.length > 0));
}

/**
 * Resolves a query with alternatives for its words: for words in no title, which may have a typo, or for all
 * words if `every` is true. The last word may be incomplete; with `every`, it is removed if it is too short to
 * complete. Returns undefined if there are no alternatives.
 */
export async function widenQuery(
  db: Db,
  { request, parsed }: ResolvedQuery,
  every: boolean,
): Promise<ResolvedQuery | undefined> {
  const words = parsed.words.slice(0, mostWords);
  const { last = '' } = parsed;
  const begun = mayBeginWords(last) ? last : undefined;
  const known = every ? [] : await listKnownWords(db, words);
  const doubted = words.filter((word) => !known.includes(word));
  const others = await othersFor(db, doubted, begun);
  const shorter = every && begun === undefined ? withoutLast(parsed) : undefined;
  const wider = others.size > 0 ? withAlternatives(parsed, others) : shorter;
  return wider && resolveQuery(db, request, wider);
}
