// Puts how PostgreSQL read a query together into one query.
import type { Group, QueryText } from './query-text.ts';

/** As queries/readings.ts has it. */
interface Reading {
  readonly part_of: number;
  readonly configurations: readonly string[];
  readonly plain: string | null;
  readonly phrase: string | null;
  readonly choices: readonly string[];
  readonly unwanted: string | null;
}

interface Asked {
  readonly group: number;
  readonly part: number;
  readonly isUnwanted: boolean;
  /** As it was typed, or in place of that. */
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

/** What PostgreSQL is asked to read. Words without alternatives go together: a query is mostly one text. */
export function askedOf({ groups }: QueryText) {
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

/** A lexeme as it stands in a tsquery. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

const allOf = (pairs: readonly string[]) => pairs.map(quoted).join(' & ');

function conditionsOf(group: Group, { plain, choices, unwanted }: Reading): string | undefined {
  const words = [plain, ...choices].filter((query) => query !== null);
  // Stop words only: this configuration has nothing to look for.
  if (group.wanted.length > 0 && words.length === 0) return undefined;
  const pairs = group.pairs.length === 0 ? [] : [allOf(group.pairs)];
  const starts = group.starts.map((start) => `${quoted(start)}:*`);
  const without = [unwanted, ...group.unwantedPairs.map(allOf)].filter(Boolean);
  return [...words, ...pairs, ...starts, ...without.map((query) => `!(${query})`)]
    .map((condition) => `(${condition})`)
    .join(' & ');
}

/** The text of the tsquery that asks for all readings of a query; empty when there is nothing to look for. */
export function tsqueryOf({ groups }: QueryText, readings: readonly Reading[]): string {
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

/** The lexemes of a reading that asks for all of them and nothing else. */
function allWanted({ plain, choices, unwanted }: Reading): ReadonlySet<string> | undefined {
  if (plain === null || choices.length > 0 || unwanted !== null) return undefined;
  return /^[()& ]*$/.test(plain.replaceAll(LEXEME, '')) ? new Set(lexemesIn(plain)) : undefined;
}

/**
 * Without readings that find nothing beside what another one finds: where one language leaves out `the` as
 * a stop word, others ask for it too. Fewer conditions are a faster search.
 */
export function withoutImplied<R extends Reading>(readings: readonly R[]): readonly R[] {
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

/** Every lexeme that is looked for, each once. */
export function lexemesOf(readings: readonly Reading[]): readonly string[] {
  const texts = readings.flatMap(({ plain, choices }) => [plain ?? '', ...choices]);
  return [...new Set(texts.flatMap(lexemesIn))];
}

/** What must be there for each reading: of every list, one lexeme. */
export function requiredOf(
  { groups }: QueryText,
  readings: readonly Reading[],
): readonly (readonly (readonly string[])[])[] {
  return readings.map(({ part_of, plain, choices }) => [
    ...lexemesIn(plain ?? '').map((lexeme) => [lexeme]),
    ...choices.map(lexemesIn),
    ...(groups[part_of]?.pairs ?? []).map((pair) => [pair]),
  ]);
}

/**
 * What an article is ranked by, for each configuration: what that asks for itself, any one word of it, and
 * all of it in a row; null where that says nothing.
 */
export function ownQueries(query: QueryText, readings: readonly Reading[]) {
  const names = [...new Set(readings.flatMap(({ configurations }) => configurations))];
  return names.map((configuration) => {
    const own = readings.filter(({ configurations }) => configurations.includes(configuration));
    const lexemes = lexemesOf(own).map(quoted);
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
