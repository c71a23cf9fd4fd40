// What somebody looks for, read once for every kind of search: the syntax of web searches.
import { pairsOf, splitUnspaced } from '#lib/unspaced';

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

/** One word or phrase as it was typed. */
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

function tokensOf(text: string): readonly (Token | 'or')[] {
  return [...text.matchAll(TOKENS)].flatMap((match): readonly (Token | 'or')[] => {
    const [, minus = '', phrase, word = ''] = match;
    if (phrase !== undefined)
      return [{ text: phrase.trim(), isPhrase: true, isUnwanted: minus !== '' }];
    if (word.toLowerCase() === 'or') return ['or'];
    const bare = word.replace(/^-+/, '');
    const isUnwanted = bare !== word;
    // What a slash joins is indexed word by word.
    const texts = isUnwanted ? [bare] : bare.split('/');
    return texts.map((text) => ({ text, isPhrase: false, isUnwanted }));
  });
}

/** What `or` stands between; one at an end, or after another, is nothing. */
function splitAtOr(tokens: readonly (Token | 'or')[]): readonly (readonly Token[])[] {
  const groups: Token[][] = [[]];
  for (const token of tokens) {
    if (token === 'or') groups.push([]);
    else if (token.text !== '') groups.at(-1)?.push(token);
  }
  return groups.filter((group) => group.length > 0);
}

function partOf({ text, isPhrase }: Token): Part | undefined {
  const { rest } = splitUnspaced(text);
  if (!/[\p{L}\p{N}]/u.test(rest)) return undefined;
  // As texts are indexed.
  const words = rest.replaceAll(/[/<>]/g, ' ');
  return { alternatives: [isPhrase ? `"${words}"` : words] };
}

function partsOf(tokens: readonly Token[]): readonly Part[] {
  return tokens.flatMap((token) => partOf(token) ?? []);
}

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
  return splitUnspaced(text).rest.toLowerCase().match(WORDS) ?? [];
}

const isLookedFor = ({ wanted, pairs, starts }: Group) =>
  wanted.length + pairs.length + starts.length > 0;

/**
 * Reads what was typed. Every text is a query: quotes that are not closed end with it, an `OR` between
 * nothing is nothing. A group of nothing but words to leave out looks for nothing, and is left out.
 */
export function readQuery(typed: string): QueryText {
  const text = typed
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(NOTHING, ' ')
    .replaceAll(QUOTES, '"');
  const split = splitAtOr(tokensOf(text));
  const loose = split.flat().filter(({ isPhrase, isUnwanted }) => !isPhrase && !isUnwanted);
  const words = [...new Set(loose.flatMap((token) => wordsOf(token.text)))];
  const final = split.at(-1)?.at(-1);
  const typedLast = final !== undefined && final === loose.at(-1) ? wordsOf(final.text) : [];
  return { groups: split.map(groupOf).filter(isLookedFor), words, last: typedLast.at(-1) };
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
