// Snippets: the place of a text where a query is found, and what in it matches, in code points.
import { limits } from '@colophon/contract';
import { withoutHidden } from './indexed-text.ts';
import { toNormalForm } from '#lib/normal-form';
import { unspacedClass } from './unspaced.ts';

/** From and to, in UTF-16 code units. */
type Range = readonly [start: number, end: number];

/** What is marked in a text. */
export interface Looked {
  /** Whether a word, as it is compared, is one of those looked for. */
  readonly isMatch: (word: string) => boolean;
  /** Finds how such words begin; left out, every word is looked at. */
  readonly beginnings?: RegExp | undefined;
  /** Pairs of characters, or single ones, of scripts without spaces. */
  readonly pairs: readonly string[];
}

/** Words of a text, as they are compared, with all places of each. */
export type WordPlaces = ReadonlyMap<string, readonly number[]>;

export interface Snippet {
  readonly text: string;
  readonly matches: [number, number][];
  readonly trust: 'untrusted';
}

/** What of a word may stand behind its first letter; of scripts without spaces nothing is. */
const inWord = String.raw`(?:[[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]--[\u200b${unspacedClass}]]|(?<=[0-9])\.(?=[0-9]))`;
const WORDS = new RegExp(
  String.raw`[[\p{L}\p{N}]--[${unspacedClass}]]${inWord}*|[${unspacedClass}]+`,
  'gv',
);
const mostWords = 300;
/** A text that says such words more often is found by one of these. */
const mostPlaces = 4_000;

/** As much of a word as all its forms have in common, mostly: `die` has dying among its own. */
function beginningOf(lexeme: string): string {
  const characters = [...lexeme];
  return characters.slice(0, characters.length <= 3 ? 1 : 3).join('');
}

/** Latin, Greek and Cyrillic, with all that Unicode has of them with marks. */
const marked = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
] as const;

/** A letter → itself with any mark: stemmers take some marks away, as German's, Greek's and Russian's do. */
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
/** Marks that may go; in other scripts they are as much of the word as its letters. */
const MARKS = new RegExp(String.raw`(?<=[${alphabets}])\p{M}+`, 'gu');
const OTHER_SCRIPTS = new RegExp(String.raw`[^${alphabets}\p{N}]`, 'u');
const JOINERS = '[\\u200c\\u200d]?';
const IS_WORD = /[\p{L}\p{N}]/u;
const isAscii = (text: string) => /^[\0-\u007f]*$/.test(text);

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** An expression for a beginning with any marks, and with joiners where writing has them. */
function anySpelling(beginning: string): string {
  const letters = [...toNormalForm(toNormalForm(beginning, 'NFD').replaceAll(MARKS, ''))];
  return letters
    .map((letter) => (withMarks.has(letter) ? `[${withMarks.get(letter)}]` : escaped(letter)))
    .join(OTHER_SCRIPTS.test(beginning) ? JOINERS : '');
}

/** Finds words that may be a form of one of these lexemes: to look at every word of every text takes longer. */
export function beginningsOf(lexemes: Iterable<string>): RegExp {
  const beginnings = new Set([...lexemes].map(beginningOf).filter((text) => IS_WORD.test(text)));
  const any = beginnings.size === 0 ? '[]' : [...beginnings].map(anySpelling).join('|');
  return new RegExp(any, 'giu');
}

const endsInWord = new RegExp(`${inWord}$`, 'v');
const REST_OF_WORD = new RegExp(`${inWord}*`, 'vy');
const NUMBER = /(?<=\p{L})[0-9]+\.[0-9]/uy;

/** Where the word ends in which this place lies. */
function endOfWord(text: string, place: number): number {
  REST_OF_WORD.lastIndex = place;
  REST_OF_WORD.test(text);
  return REST_OF_WORD.lastIndex;
}

/** Two code units may be one letter. A number with a point stands for itself: 1.2 in v1.2. */
function startsWord(text: string, place: number): boolean {
  if (!endsInWord.test(text.slice(Math.max(0, place - 2), place))) return true;
  NUMBER.lastIndex = place;
  return NUMBER.test(text);
}

/**
 * Every word of a text that begins as it should, with its place. What ends a word is not part of the
 * expression that finds its beginning: that one is made for each search, and classes of letters are slow
 * to compile.
 */
function* wordsIn(text: string, beginnings?: RegExp): Generator<readonly [string, number]> {
  let last = 0;
  for (const { 0: beginning, index } of text.matchAll(beginnings ?? WORDS)) {
    if (index < last) continue;
    last = index + beginning.length;
    if (beginnings !== undefined) last = endOfWord(text, last);
    if (beginnings === undefined || startsWord(text, index)) yield [text.slice(index, last), index];
  }
}

/** A word as it is compared: in lower case, however its characters are composed. */
function compared(word: string): string {
  const lower = word.toLowerCase();
  return isAscii(lower) ? lower : withoutHidden(lower);
}

/**
 * The words of a text that begin so, as they are compared, with the places of each; of the first 300, and of
 * the first 4,000 places.
 */
export function wordsLike(text: string, beginnings: RegExp): WordPlaces {
  const found = new Map<string, number[]>();
  let left = mostPlaces;
  for (const [word, index] of wordsIn(text, beginnings)) {
    const key = compared(word);
    const places = found.get(key);
    if (places === undefined) found.set(key, [index]);
    else places.push(index);
    left -= 1;
    if (found.size >= mostWords || left === 0) break;
  }
  return found;
}

function wordRanges(text: string, { isMatch, beginnings }: Looked): readonly Range[] {
  return [...wordsIn(text, beginnings)].flatMap(([word, index]): Range[] =>
    isMatch(compared(word)) ? [[index, index + word.length]] : [],
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

/** In order, and apart: what lies nearer to each other than that is one. */
function merged(ranges: readonly Range[], gap: number): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start < last[1] + gap) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Everything in a text that matches, in order and apart. */
export function matchesIn(text: string, looked: Looked): readonly Range[] {
  // What touches is one: 北京 and 大学 mark 北京大学.
  const pairs = merged(pairRanges(text, looked.pairs), 1);
  return merged([...wordRanges(text, looked), ...pairs], 0);
}

function isHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The place `count` code points before or after; the end of the text where there are fewer. */
function moved(text: string, from: number, count: number): number {
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

/** The match to begin with: of those around which the most different words match, the first. */
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

/** A cut lies between words where there is a border near; scripts without spaces may be cut anywhere. */
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

/** A text as it is shown: its characters composed, and without soft hyphens, so that words are in one piece. */
export function shownText(text: string): string {
  return toNormalForm(text.replaceAll('\u00ad', ''));
}

/** At most 240 code points of a plain text around its first good match, `…` where it is cut. */
export function snippetOf(text: string, looked: Looked): Snippet {
  const shown = shownText(text);
  return snippetAround(shown, matchesIn(shown, looked));
}

/** The same of a text whose matches are known; with none it is how the text begins. */
export function snippetAround(text: string, ranges: readonly Range[]): Snippet {
  const start = bestStart(text, ranges);
  // One for each `…`.
  const room = limits.snippet_max - 2;
  const fits = countPoints(text) <= limits.snippet_max;
  const from = fits ? 0 : Math.min(start, cutAfter(text, moved(text, start, -lead)));
  const to = fits ? text.length : Math.max(from, cutBefore(text, moved(text, from, room)));
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
 * Where a long text is worth looking at first: its first matches, at most three, far from each other. `words`
 * are those that begin as they should.
 */
export function placesToLook(
  text: string,
  { isMatch, pairs }: Looked,
  words: WordPlaces,
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
