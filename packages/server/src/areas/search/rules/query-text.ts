// What somebody looks for, read once for every kind of search: the syntax of web searches.
import { asIndexed, withoutHidden } from './indexed-text.ts';
import { pairsOf, splitUnspaced } from './unspaced.ts';

/** Something to be found: every alternative is a word or a phrase in quotes for `websearch_to_tsquery`. */
export interface Part {
  /** Any of them will do. */
  readonly alternatives: readonly string[];
}

/** What stands between two `OR`: all that is wanted must be there, nothing of what is unwanted. */
export interface Group {
  readonly wanted: readonly Part[];
  readonly unwanted: readonly Part[];
  /** Pairs of characters of scripts without spaces, all wanted. */
  readonly pairs: readonly string[];
  readonly unwantedPairs: readonly (readonly string[])[];
  /** Single characters of such scripts: words that begin with them are wanted. */
  readonly starts: readonly string[];
}

/** What was typed in one piece, or in quotes, as it is indexed. */
interface Token {
  readonly text: string;
  readonly isPhrase: boolean;
  readonly isUnwanted: boolean;
}

export interface QueryText {
  readonly groups: readonly Group[];
  /** The words that may have a typo: outside of quotes, wanted, in lower case, each once. */
  readonly words: readonly string[];
  /** The word that was typed last, perhaps not to its end. */
  readonly last: string | undefined;
}

const TOKENS = /(-*)"([^"]*)(?:"|$)|([^\s"]+)/gu;
const QUOTES = /[“”„‟«»＂]/gu;
const NOTHING = /[\p{Cc}\p{Cs}\p{Cn}]/gu;
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const BETWEEN_WORDS = /[-,]*(?:\s+|^|$)[-,]*/u;
const HYPHEN_BEFORE_NUMBER = /(?<=[\p{L}\p{M}\p{N}])[-\u2010\u2011](?=[0-9])/u;

/** A word as it is indexed. What a hyphen joins with a number stays in a row, as PostgreSQL reads a comma. */
function readWord(word: string): string {
  return word.split(HYPHEN_BEFORE_NUMBER).map(asIndexed).join(',');
}

function tokensOf(text: string): readonly (Token | 'or')[] {
  return [...text.matchAll(TOKENS)].map((match): Token | 'or' => {
    const [, minus = '', phrase, word = ''] = match;
    if (phrase !== undefined)
      return { text: asIndexed(phrase), isPhrase: true, isUnwanted: minus !== '' };
    if (word.toLowerCase() === 'or') return 'or';
    return { text: readWord(word), isPhrase: false, isUnwanted: word.startsWith('-') };
  });
}

/** What `or` stands between; one at an end, or after another, is nothing. */
function splitAtOr(tokens: readonly (Token | 'or')[]): readonly (readonly Token[])[] {
  const groups: Token[][] = [[]];
  for (const token of tokens) {
    if (token === 'or') groups.push([]);
    else if (token.text.trim() !== '') groups.at(-1)?.push(token);
  }
  return groups.filter((group) => group.length > 0);
}

/** In quotes `or` is a word like others. */
const inQuotes = (words: readonly string[]): Part => ({ alternatives: [`"${words.join(' ')}"`] });

/** What is typed in one piece is looked for word by word, and left out only where it stands in a row. */
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

/** The words of a text in lower case, those of scripts without spaces left out. */
export function wordsOf(text: string): readonly string[] {
  return splitUnspaced(asIndexed(text)).rest.toLowerCase().match(WORDS) ?? [];
}

/** What a run of a script without spaces counts as: its pairs, or itself where it is a single character. */
function unitsOf(run: string): readonly string[] {
  const pairs = pairsOf(run);
  return pairs.length === 0 ? [run] : pairs;
}

/** How many different words a text has, pairs of characters of scripts without spaces among them. */
export function lengthOf(text: string): number {
  const units = splitUnspaced(asIndexed(text)).runs.flatMap(unitsOf);
  return new Set([...wordsOf(text), ...units]).size;
}

const isLookedFor = ({ wanted, pairs, starts }: Group) =>
  wanted.length + pairs.length + starts.length > 0;

/**
 * Reads what was typed. Every text is a query: quotes that are not closed end with it, an `OR` between
 * nothing is nothing. A group of nothing but words to leave out looks for nothing, and is left out.
 */
export function readQuery(typed: string): QueryText {
  const text = withoutHidden(typed.toWellFormed()).replaceAll(NOTHING, ' ').replaceAll(QUOTES, '"');
  const split = splitAtOr(tokensOf(text));
  const loose = split.flat().filter(({ isPhrase, isUnwanted }) => !isPhrase && !isUnwanted);
  const words = [...new Set(loose.flatMap((token) => wordsOf(token.text)))];
  const final = split.at(-1)?.at(-1);
  const typedLast = final !== undefined && final === loose.at(-1) ? wordsOf(final.text) : [];
  return { groups: split.map(groupOf).filter(isLookedFor), words, last: typedLast.at(-1) };
}

/** How many words a query asks for as it was typed, the most of what stands between two `OR`. */
export function wordCountOf({ groups }: QueryText): number {
  const counts = groups.map(({ wanted, pairs, starts }) => {
    const typed = wanted.map(({ alternatives: [text = ''] }) => text);
    return lengthOf(typed.join(' ')) + pairs.length + new Set(starts).size;
  });
  return Math.max(1, ...counts);
}

/**
 * The same query with other words allowed in place of some: `others` has the words in lower case. What was
 * typed stays the first alternative as it is, so that nothing is lost that it found.
 */
export function withAlternatives(
  { groups, ...query }: QueryText,
  others: ReadonlyMap<string, readonly string[]>,
): QueryText {
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

/** The query without the word that was typed last; undefined when nothing else is wanted there. */
export function withoutLast({ groups, ...query }: QueryText): QueryText | undefined {
  const last = groups.at(-1);
  if (query.last === undefined || last === undefined || last.wanted.length < 2) return undefined;
  const shorter = { ...last, wanted: last.wanted.slice(0, -1) };
  return { ...query, groups: [...groups.slice(0, -1), shorter] };
}
