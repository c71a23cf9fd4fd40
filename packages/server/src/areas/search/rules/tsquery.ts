// Resolves a query from PostgreSQL's parses of it: combines them into tsqueries.
import { marksWanted } from './index-tags.ts';
import type { Group, ParsedQuery } from './parse-query.ts';
import type { OwnQuery, Reading, ResolvedQuery, SearchRequest } from './search-request.ts';

interface Asked {
  readonly group: number;
  readonly part: number;
  readonly isUnwanted: boolean;
  /** true: as typed; false: an alternative. */
  readonly isTyped: boolean;
  readonly text: string;
}

function askedOfGroup({ wanted, unwanted }: Group, group: number): readonly Asked[] {
  const plain = wanted.filter(({ alternatives }) => alternatives.length === 1);
  const together = plain.flatMap(({ alternatives }) => alternatives).join(' ');
  const each = (parts: Group['wanted'], isUnwanted: boolean): readonly Asked[] =>
    parts.flatMap(({ alternatives }, part) =>
      isUnwanted || alternatives.length > 1
        ? alternatives.map((text, place) => ({
            group,
            part,
            isUnwanted,
            isTyped: place === 0,
            text,
          }))
        : [],
    );
  return [
    ...(together === ''
      ? []
      : [{ group, part: -1, isUnwanted: false, isTyped: true, text: together }]),
    ...each(wanted, false),
    ...each(unwanted, true),
  ];
}

/**
 * Returns the texts for PostgreSQL to parse. Words without alternatives are combined, so most queries are
 * one text.
 */
export function askedOf({ groups }: ParsedQuery) {
  const asked = groups.flatMap(askedOfGroup);
  return {
    groups: asked.map(({ group }) => group),
    parts: asked.map(({ part }) => part),
    unwanted: asked.map(({ isUnwanted }) => isUnwanted),
    typed: asked.map(({ isTyped }) => isTyped),
    texts: asked.map(({ text }) => text),
    groupCount: groups.length,
  };
}

/** Returns a lexeme, quoted for a tsquery. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

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

/** Returns the requirements of each parse: one lexeme of every list must be present. */
export function requiredOf(
  { groups }: ParsedQuery,
  readings: readonly Reading[],
): readonly (readonly (readonly string[])[])[] {
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

/** A parsed query and its parses by PostgreSQL. */
interface Read {
  readonly parsed: ParsedQuery;
  readonly readings: readonly Reading[];
}

/** Returns the resolved query. `plain` is the query without accents; its readings are empty if it has none. */
export function resolvedOf(request: SearchRequest, typed: Read, plain: Read): ResolvedQuery {
  const { parsed } = typed;
  const readings = withoutImplied(typed.readings);
  const words = tsqueryOf(parsed, readings);
  const marks = marksWanted(request.filters);
  const listsOfMarks = marks.map((mark) => [mark]);
  return {
    request,
    parsed,
    words,
    titleWords: either(wantedOf(parsed, readings), wantedOf(plain.parsed, plain.readings)),
    whole: hasUnwanted(parsed) ? either(words, tsqueryOf(plain.parsed, plain.readings)) : undefined,
    own: ownQueries(parsed, typed.readings),
    required: requiredOf(parsed, readings).map((lists) => [...lists, ...listsOfMarks]),
    lexemes: lexemesOf(readings),
    marks,
  };
}
