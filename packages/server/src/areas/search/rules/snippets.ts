// Snippets: the part of a text where a query matches, and the matches in it, in code points.
import { limits } from '@colophon/contract';
import { toNormalForm } from '@colophon/text/lib/normal-form';
import { shownText, unspacedClass, withoutHidden } from './text-forms.ts';

/** Start and end, in UTF-16 code units. */
type Range = readonly [start: number, end: number];

/** What to mark in a text. */
export interface Marking {
  /** Whether a word, in its compared form, matches. */
  readonly isMatch: (word: string) => boolean;
  /** Finds the beginnings of matching words; if omitted, every word is compared. */
  readonly beginnings?: RegExp | undefined;
  /** Pairs of characters, or single ones, of scripts without spaces. */
  readonly pairs: readonly string[];
}

/** Words of a text in their compared form, with all positions of each. */
export type WordPositions = ReadonlyMap<string, readonly number[]>;

export interface Snippet {
  readonly text: string;
  readonly matches: [number, number][];
  readonly trust: 'untrusted';
}

/** Characters of a word after its first letter; characters of scripts without spaces are excluded. */
const inWord = String.raw`(?:[[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]--[\u200b${unspacedClass}]]|(?<=[0-9])\.(?=[0-9]))`;
const WORDS = new RegExp(
  String.raw`[[\p{L}\p{N}]--[${unspacedClass}]]${inWord}*|[${unspacedClass}]+`,
  'gv',
);
/**
 * A query has no longer word. PostgreSQL leaves out words from 2,047 bytes on, but a text may have one of a
 * million, and folding it would hold up everything else.
 */
const longestWord = limits.search_query_max;
const mostWords = 300;
/** UTF-16 units of the different words of a text: 300 words of people have a third of them. */
const mostUnits = 8_000;
/** A text with more occurrences than this is found by one of the first ones. */
const mostPlaces = 4_000;

/** Returns the beginning that usually all forms of a word share: `die` also has the form dying. */
function beginningOf(lexeme: string): string {
  const characters = [...lexeme];
  return characters.slice(0, characters.length <= 3 ? 1 : 3).join('');
}

/** Latin, Greek and Cyrillic letters, including all with marks in Unicode. */
const marked = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
] as const;

/**
 * A letter → itself with any mark: stemmers, for example of German, Greek and Russian, remove some marks.
 */
const withMarks = new Map<string, string>();
for (const [first, last] of marked) {
  for (let point = first; point <= last; point += 1) {
    const letter = String.fromCodePoint(point);
    const base = toNormalForm(letter, 'NFD').charAt(0);
    if (base !== letter && letter === letter.toLowerCase() && /\p{L}/u.test(base))
      withMarks.set(base, `${withMarks.get(base) ?? base}${letter}`);
  }
}

const alphabets = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;
/** Marks that may be absent; in other scripts they are as significant as letters. */
const MARKS = new RegExp(String.raw`(?<=[${alphabets}])\p{M}+`, 'gu');
const OTHER_SCRIPTS = new RegExp(String.raw`[^${alphabets}\p{N}]`, 'u');
const JOINERS = '[\\u200c\\u200d]?';
const IS_WORD = /[\p{L}\p{N}]/u;
const isAscii = (text: string) => /^[\0-\u007f]*$/.test(text);

const escapePattern = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Returns an expression for a beginning with any marks, and with joiners in scripts that use them. */
function anySpelling(beginning: string): string {
  const letters = [...toNormalForm(toNormalForm(beginning, 'NFD').replaceAll(MARKS, ''))];
  return letters
    .map((letter) => (withMarks.has(letter) ? `[${withMarks.get(letter)}]` : escapePattern(letter)))
    .join(OTHER_SCRIPTS.test(beginning) ? JOINERS : '');
}

/**
 * Returns an expression for words that may be forms of these lexemes: comparing every word would take
 * longer.
 */
export function beginningsOf(lexemes: Iterable<string>): RegExp {
  const beginnings = new Set([...lexemes].map(beginningOf).filter((text) => IS_WORD.test(text)));
  const any = beginnings.size === 0 ? '[]' : [...beginnings].map(anySpelling).join('|');
  return new RegExp(any, 'giu');
}

const endsInWord = new RegExp(`${inWord}$`, 'v');
const REST_OF_WORD = new RegExp(`${inWord}*`, 'vy');
const NUMBER = /(?<=\p{L})[0-9]+\.[0-9]/uy;

/** Returns the end of the word that contains this position. */
function endOfWord(text: string, place: number): number {
  REST_OF_WORD.lastIndex = place;
  REST_OF_WORD.test(text);
  return REST_OF_WORD.lastIndex;
}

/** Two code units may be one letter. A number with a period is a word of its own: 1.2 in v1.2. */
function startsWord(text: string, place: number): boolean {
  if (!endsInWord.test(text.slice(Math.max(0, place - 2), place))) return true;
  NUMBER.lastIndex = place;
  return NUMBER.test(text);
}

/**
 * Yields every word of a text with a given beginning, unless it is too long, and its position. The end of a word is not part of
 * the expression for its beginning: that expression is compiled for each search, and classes of letters are
 * slow to compile.
 */
function* wordsIn(text: string, beginnings?: RegExp): Generator<readonly [string, number]> {
  let last = 0;
  for (const { 0: beginning, index } of text.matchAll(beginnings ?? WORDS)) {
    if (index < last) continue;
    last = index + beginning.length;
    if (beginnings !== undefined) last = endOfWord(text, last);
    if (last - index > longestWord) continue;
    if (beginnings === undefined || startsWord(text, index)) yield [text.slice(index, last), index];
  }
}

/** Returns the compared form of a word: in lower case, with composed characters. */
function foldWord(word: string): string {
  const lower = word.toLowerCase();
  return isAscii(lower) ? lower : withoutHidden(lower);
}

/**
 * Returns the words of a text with a given beginning, in their compared form, with the positions of each;
 * only the first 300 words, the first 8,000 units of them, and the first 4,000 positions.
 */
export function wordsLike(text: string, beginnings: RegExp): WordPositions {
  const found = new Map<string, number[]>();
  /** By spelling: each is folded once. */
  const known = new Map<string, number[]>();
  let [left, units] = [mostPlaces, mostUnits];
  for (const [word, index] of wordsIn(text, beginnings)) {
    let places = known.get(word);
    if (places === undefined) {
      const key = foldWord(word);
      places = found.get(key) ?? [];
      found.set(key, places);
      known.set(word, places);
      units -= word.length;
    }
    places.push(index);
    left -= 1;
    if (found.size >= mostWords || left === 0 || units <= 0) break;
  }
  return found;
}

function wordRanges(text: string, { isMatch, beginnings }: Marking): readonly Range[] {
  return [...wordsIn(text, beginnings)].flatMap(([word, index]): Range[] =>
    isMatch(foldWord(word)) ? [[index, index + word.length]] : [],
  );
}

function pairRanges(text: string, pairs: readonly string[]): Range[] {
  return pairs.flatMap((pair) => {
    const ranges: Range[] = [];
    for (let at = text.indexOf(pair); at >= 0; at = text.indexOf(pair, at + 1))
      ranges.push([at, at + pair.length]);
    return ranges;
  });
}

/** Returns ranges in order; those closer than `gap` to each other are merged. */
function mergeRanges(ranges: readonly Range[], gap: number): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start < last[1] + gap) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Returns all matches in a text, in order and without overlaps. */
export function matchesIn(text: string, marking: Marking): readonly Range[] {
  // Adjacent matches are merged: 北京 and 大学 mark 北京大学.
  const pairs = mergeRanges(pairRanges(text, marking.pairs), 1);
  return mergeRanges([...wordRanges(text, marking), ...pairs], 0);
}

function isHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Returns the position `count` code points before or after; the end of the text if there are fewer. */
function moveBy(text: string, from: number, count: number): number {
  let at = from;
  const step = Math.sign(count);
  for (
    let left = Math.abs(count);
    left > 0 && at + step >= 0 && at + step <= text.length;
    left -= 1
  ) {
    at += step;
    if (isHalf(text, at)) at += step;
  }
  return at;
}

const lead = 60;

/**
 * Returns the start of the match to show first: the first of those with the most different words nearby.
 */
function bestStart(text: string, ranges: readonly Range[]): number {
  let best = { start: 0, kinds: 0 };
  for (const [index, [start]] of ranges.slice(0, 200).entries()) {
    const reach = start + limits.snippet_max - lead;
    const near = ranges.slice(index, index + 30).filter(([, end]) => end <= reach);
    const kinds = new Set(near.map(([from, to]) => text.slice(from, to).toLowerCase())).size;
    if (kinds > best.kinds) best = { start, kinds };
  }
  return best.start;
}

/** Moves a cut to a nearby space; scripts without spaces may be cut anywhere. */
function cutAfter(text: string, at: number): number {
  if (at === 0) return 0;
  const border = text.indexOf(' ', at - 1);
  return border >= 0 && border - at < 25 ? border + 1 : at;
}

function cutBefore(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const border = text.lastIndexOf(' ', at);
  return at - border < 25 ? border : at;
}

const HALVES = /[\ud800-\udfff]/;

const countPoints = (text: string) => (HALVES.test(text) ? [...text].length : text.length);

/** Returns at most 240 code points of a plain text around its best match, with `…` where it is cut. */
export function snippetOf(text: string, marking: Marking): Snippet {
  const shown = shownText(text);
  return snippetAround(shown, matchesIn(shown, marking));
}

/** The same for a text with known matches; without matches it shows the beginning. */
export function snippetAround(text: string, ranges: readonly Range[]): Snippet {
  const start = bestStart(text, ranges);
  // Space for two `…`.
  const room = limits.snippet_max - 2;
  const fits = countPoints(text) <= limits.snippet_max;
  const from = fits ? 0 : Math.min(start, cutAfter(text, moveBy(text, start, -lead)));
  const to = fits ? text.length : Math.max(from, cutBefore(text, moveBy(text, from, room)));
  const before = from > 0 ? '…' : '';
  const after = to < text.length ? '…' : '';
  const matches = ranges
    .filter(([first, last]) => first >= from && last <= to)
    .map(([first, last]): [number, number] => {
      const begin = countPoints(before) + countPoints(text.slice(from, first));
      return [begin, begin + countPoints(text.slice(first, last))];
    });
  return { text: `${before}${text.slice(from, to)}${after}`, matches, trust: 'untrusted' };
}

/**
 * Returns the positions in a long text to try first: its first matches, at most three, far from each other.
 * `words` are those with the given beginnings.
 */
export function positionsToSearch(
  text: string,
  { isMatch, pairs }: Marking,
  words: WordPositions,
): readonly number[] {
  const ofWords = [...words].flatMap(([word, at]) => (isMatch(word) ? [at] : []));
  const places: number[] = [];
  for (let from = 0; places.length < 3; from = (places.at(-1) ?? 0) + 601) {
    const next = Math.min(
      ...ofWords.map((at) => at.find((place) => place >= from) ?? text.length),
      ...pairs.map((pair) => text.indexOf(pair, from)).filter((place) => place >= 0),
    );
    if (!(next < text.length)) break;
    places.push(next);
  }
  return places;
}
