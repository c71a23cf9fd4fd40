// Parser of search queries for all types of search, with the syntax of web searches.
import { asIndexed, pairsOf, splitUnspaced, withoutHidden } from './text-forms.ts';

/** A search term: each alternative is a word or a quoted phrase for `websearch_to_tsquery`. */
export interface Part {
  /** A match needs one of these. */
  readonly alternatives: readonly string[];
}

/** The terms between two `OR`: all wanted ones must match, no unwanted one may match. */
export interface Group {
  readonly wanted: readonly Part[];
  readonly unwanted: readonly Part[];
  /** Pairs of characters of scripts without spaces, all wanted. */
  readonly pairs: readonly string[];
  readonly unwantedPairs: readonly (readonly string[])[];
  /** Single characters of such scripts: words that begin with them are wanted. */
  readonly starts: readonly string[];
}

/** A word or a quoted phrase of the query, in its indexed form. */
interface Token {
  readonly text: string;
  readonly isPhrase: boolean;
  readonly isUnwanted: boolean;
}

export interface ParsedQuery {
  readonly groups: readonly Group[];
  /** The distinct words that may have a typo: unquoted, wanted, in lower case. */
  readonly words: readonly string[];
  /** The last word, which may be incomplete. */
  readonly last: string | undefined;
}

const TOKENS = /(-*)"([^"]*)(?:"|$)|([^\s"]+)/gu;
const QUOTES = /[“”„‟«»＂]/gu;
const NOTHING = /[\p{Cc}\p{Cs}\p{Cn}]/gu;
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const BETWEEN_WORDS = /[-,]*(?:\s+|^|$)[-,]*/u;
const HYPHEN_BEFORE_NUMBER = /(?<=[\p{L}\p{M}\p{N}])[-\u2010\u2011](?=[0-9])/u;

/**
 * Returns the indexed form of a word. Parts joined by a hyphen before a number become a phrase, as
 * PostgreSQL reads a comma.
 */
function readWord(word: string): string {
  return word.split(HYPHEN_BEFORE_NUMBER).map(asIndexed).join(',');
}

function tokensOf(text: string): readonly (Token | 'or')[] {
  const tokens = [...text.matchAll(TOKENS)].map((match): Token | 'or' => {
    const [, minus = '', phrase, word = ''] = match;
    if (phrase !== undefined)
      return { text: asIndexed(phrase), isPhrase: true, isUnwanted: minus !== '' };
    if (word.toLowerCase() === 'or') return 'or';
    return { text: readWord(word), isPhrase: false, isUnwanted: word.startsWith('-') };
  });
  // It is also a word, of French for example, and then the only one wanted.
  return tokens.every((token) => token === 'or')
    ? tokens.map(() => ({ text: 'or', isPhrase: false, isUnwanted: false }))
    : tokens;
}

/** Splits tokens at `or`; an `or` at either end, or after another, is ignored. */
function splitAtOr(tokens: readonly (Token | 'or')[]): readonly (readonly Token[])[] {
  const groups: Token[][] = [[]];
  for (const token of tokens) {
    if (token === 'or') groups.push([]);
    else if (token.text.trim() !== '') groups.at(-1)?.push(token);
  }
  return groups.filter((group) => group.length > 0);
}

/** A quoted `or` is an ordinary word. */
const inQuotes = (words: readonly string[]): Part => ({ alternatives: [`"${words.join(' ')}"`] });

/** A typed piece is searched word by word, but excluded only as a phrase. */
function partsOfToken({ text, isPhrase, isUnwanted }: Token): readonly Part[] {
  const words = splitUnspaced(text)
    .rest.split(BETWEEN_WORDS)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return [];
  if (isPhrase || (isUnwanted && words.length > 1)) return [inQuotes(words)];
  return words.map((word) =>
    word.toLowerCase() === 'or' ? inQuotes([word]) : { alternatives: [word] },
  );
}

const partsOf = (tokens: readonly Token[]) => tokens.flatMap(partsOfToken);

const runsOf = ({ text }: Token) => splitUnspaced(text).runs;

function groupOf(tokens: readonly Token[]): Group {
  const wanted = tokens.filter(({ isUnwanted }) => !isUnwanted);
  const unwanted = tokens.filter(({ isUnwanted }) => isUnwanted);
  const runs = wanted.flatMap(runsOf);
  return {
    wanted: partsOf(wanted),
    unwanted: partsOf(unwanted),
    pairs: [...new Set(runs.flatMap(pairsOf))],
    unwantedPairs: unwanted.flatMap(runsOf).map(pairsOf),
    starts: runs.filter((run) => [...run].length === 1),
  };
}

/** Returns the words of a text in lower case, except those of scripts without spaces. */
export function wordsOf(text: string): readonly string[] {
  return splitUnspaced(asIndexed(text)).rest.toLowerCase().match(WORDS) ?? [];
}

/**
 * Returns the units of a run of a script without spaces: its pairs, or the character itself if it is
 * single.
 */
function unitsOf(run: string): readonly string[] {
  const pairs = pairsOf(run);
  return pairs.length === 0 ? [run] : pairs;
}

/**
 * Returns the number of different words of a text, including pairs of characters of scripts without spaces.
 */
export function lengthOf(text: string): number {
  const units = splitUnspaced(asIndexed(text)).runs.flatMap(unitsOf);
  return new Set([...wordsOf(text), ...units]).size;
}

const isSearchable = ({ wanted, pairs, starts }: Group) =>
  wanted.length + pairs.length + starts.length > 0;

/**
 * Parses a query. Every text is a query: an unclosed quote ends with the text. An `OR` without terms on both
 * sides is ignored, unless the query has nothing else: it is then a word. A group of exclusions only is
 * omitted.
 */
export function parseQuery(typed: string): ParsedQuery {
  const text = withoutHidden(typed.toWellFormed()).replaceAll(NOTHING, ' ').replaceAll(QUOTES, '"');
  const split = splitAtOr(tokensOf(text));
  const loose = split.flat().filter(({ isPhrase, isUnwanted }) => !isPhrase && !isUnwanted);
  const words = [...new Set(loose.flatMap((token) => wordsOf(token.text)))];
  const final = split.at(-1)?.at(-1);
  const typedLast = final !== undefined && final === loose.at(-1) ? wordsOf(final.text) : [];
  return { groups: split.map(groupOf).filter(isSearchable), words, last: typedLast.at(-1) };
}

/** Returns the wanted pairs of characters, and single characters, of scripts without spaces. */
export function pairsWanted({ groups }: ParsedQuery): readonly string[] {
  return groups.flatMap(({ pairs, starts }) => [...pairs, ...starts]);
}

/** Returns the number of words of the query as typed: the largest number of any group. */
export function wordCountOf({ groups }: ParsedQuery): number {
  const counts = groups.map(({ wanted, pairs, starts }) => {
    const typed = wanted.map(({ alternatives: [text = ''] }) => text);
    return lengthOf(typed.join(' ')) + pairs.length + new Set(starts).size;
  });
  return Math.max(1, ...counts);
}

/**
 * Returns the query with alternatives for some words: `others` maps words in lower case. The typed word
 * remains the first alternative, so that no result is lost.
 */
export function withAlternatives(
  { groups, ...query }: ParsedQuery,
  others: ReadonlyMap<string, readonly string[]>,
): ParsedQuery {
  const widened = (part: Part): Part => {
    const [typed = ''] = part.alternatives;
    if (typed.startsWith('"')) return part;
    const text = typed.toLowerCase();
    const changed = wordsOf(text).flatMap((word) =>
      (others.get(word) ?? []).map((other) => text.replace(word, () => other)),
    );
    return { alternatives: [typed, ...changed] };
  };
  return {
    ...query,
    groups: groups.map((group) => ({ ...group, wanted: group.wanted.map(widened) })),
  };
}

/** Returns the query without the last word; undefined if it is the only wanted term of its group. */
export function withoutLast({ groups, ...query }: ParsedQuery): ParsedQuery | undefined {
  const last = groups.at(-1);
  if (query.last === undefined || last === undefined || last.wanted.length < 2) return undefined;
  const shorter = { ...last, wanted: last.wanted.slice(0, -1) };
  return { ...query, groups: [...groups.slice(0, -1), shorter] };
}

/** A text of a query for PostgreSQL to parse, and where it belongs. */
interface TextToParse {
  readonly group: number;
  readonly part: number;
  readonly isUnwanted: boolean;
  /** true: as typed; false: an alternative. */
  readonly isTyped: boolean;
  readonly text: string;
}

function textsOfGroup({ wanted, unwanted }: Group, group: number): readonly TextToParse[] {
  const together = wanted.flatMap(({ alternatives }) =>
    alternatives.length === 1 ? alternatives : [],
  );
  const plain = { group, part: -1, isUnwanted: false, isTyped: true, text: together.join(' ') };
  const each = (parts: readonly Part[], isUnwanted: boolean) =>
    parts.flatMap(({ alternatives }, part) =>
      alternatives.length === 1 && !isUnwanted
        ? []
        : alternatives.map((text, at) => ({ group, part, isUnwanted, isTyped: at === 0, text })),
    );
  return [...(plain.text === '' ? [] : [plain]), ...each(wanted, false), ...each(unwanted, true)];
}

/**
 * Returns the texts for PostgreSQL to parse. Words without alternatives are combined, so most queries are
 * one text.
 */
export function textsToParse({ groups }: ParsedQuery) {
  const all = groups.flatMap(textsOfGroup);
  return {
    groups: all.map(({ group }) => group),
    parts: all.map(({ part }) => part),
    unwanted: all.map(({ isUnwanted }) => isUnwanted),
    typed: all.map(({ isTyped }) => isTyped),
    texts: all.map(({ text }) => text),
    groupCount: groups.length,
  };
}
