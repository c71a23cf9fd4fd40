// Snippets: the place of a text where a query is found, and what in it matches, in code points.
import { limits } from '@colophon/contract';

/** From and to, in UTF-16 code units. */
type Range = readonly [start: number, end: number];

/** What is marked in a text. */
export interface Looked {
  /** Whether a word in lower case is one of those looked for. */
  readonly isMatch: (word: string) => boolean;
  /** Finds how such words begin; left out, every word is looked at. */
  readonly beginnings?: RegExp | undefined;
  /** Pairs of characters, or single ones, of scripts without spaces. */
  readonly pairs: readonly string[];
}

export interface Snippet {
  readonly text: string;
  readonly matches: [number, number][];
  readonly trust: 'untrusted';
}

const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const mostWords = 300;

/** As much of a word as all its forms have in common, mostly: `die` has dying among its own. */
function beginningOf(lexeme: string): string {
  const characters = [...lexeme];
  return characters.slice(0, characters.length <= 3 ? 1 : 3).join('');
}

/** A Latin letter → itself with any mark: stemmers take some marks away, as German's does. */
const withMarks = new Map<string, string>();
for (let point = 0xc0; point < 0x250; point += 1) {
  const letter = String.fromCodePoint(point);
  const base = letter.normalize('NFD').charAt(0);
  if (base !== letter && letter === letter.toLowerCase())
    withMarks.set(base, `${withMarks.get(base) ?? base}${letter}`);
}

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Finds words that may be a form of one of these lexemes: to look at every word of every text takes longer. */
export function beginningsOf(lexemes: Iterable<string>): RegExp {
  const beginnings = [...new Set([...lexemes].map(beginningOf))].filter(Boolean);
  const anyMarks = (beginning: string) =>
    [...beginning.normalize('NFD').replaceAll(/\p{M}/gu, '')]
      .map((letter) => (withMarks.has(letter) ? `[${withMarks.get(letter)}]` : escaped(letter)))
      .join('');
  const any = beginnings.length === 0 ? '[]' : beginnings.map(anyMarks).join('|');
  return new RegExp(any, 'giu');
}

const endsInWord = /[\p{L}\p{M}\p{N}]$/u;
const REST_OF_WORD = /[\p{L}\p{M}\p{N}]*/uy;

/** Where the word ends in which this place lies. */
function endOfWord(text: string, place: number): number {
  REST_OF_WORD.lastIndex = place;
  REST_OF_WORD.test(text);
  return REST_OF_WORD.lastIndex;
}

/**
 * Every word of a text that begins as it should, with its place. What ends a word is not part of the
 * expression that finds its beginning: that one is made for each search, and classes of letters are slow
 * to compile.
 */
function* wordsIn(text: string, beginnings: RegExp = WORDS): Generator<readonly [string, number]> {
  let last = 0;
  for (const { 0: beginning, index } of text.matchAll(beginnings)) {
    if (index < last) continue;
    last = endOfWord(text, index + beginning.length);
    // Two code units may be one letter.
    if (!endsInWord.test(text.slice(Math.max(0, index - 2), index)))
      yield [text.slice(index, last), index];
  }
}

/** The words of a text, in lower case and each once, that begin so. */
export function wordsLike(text: string, beginnings: RegExp): readonly string[] {
  const found = new Set<string>();
  for (const [word] of wordsIn(text, beginnings)) {
    found.add(word.toLowerCase());
    if (found.size >= mostWords) break;
  }
  return [...found];
}

function* wordRanges(text: string, { isMatch, beginnings }: Looked): Generator<Range> {
  for (const [word, index] of wordsIn(text, beginnings)) {
    if (isMatch(word.toLowerCase())) yield [index, index + word.length];
  }
}

function pairRanges(text: string, pairs: readonly string[]): Range[] {
  return pairs.flatMap((pair) => {
    const ranges: Range[] = [];
    for (let at = text.indexOf(pair); at >= 0; at = text.indexOf(pair, at + 1))
      ranges.push([at, at + pair.length]);
    return ranges;
  });
}

/** In order; what touches is one: 北京 and 京大 mark 北京大. */
function merged(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Everything in a text that matches, in order. */
export function matchesIn(text: string, looked: Looked): readonly Range[] {
  const pairs = merged(pairRanges(text, looked.pairs));
  return [...wordRanges(text, looked), ...pairs].toSorted((a, b) => a[0] - b[0]);
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

/** At most 240 code points of a plain text around its first good match, `…` where it is cut. */
export function snippetOf(text: string, looked: Looked): Snippet {
  return snippetAround(text, matchesIn(text, looked));
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

/** Where a long text is worth looking at first: its first matches, at most three, far from each other. */
export function placesToLook(text: string, looked: Looked): readonly number[] {
  const places: number[] = [];
  const ranges = looked.pairs.length === 0 ? wordRanges(text, looked) : matchesIn(text, looked);
  for (const [start] of ranges) {
    if (places.length === 0 || start - (places.at(-1) ?? 0) > 600) places.push(start);
    if (places.length === 3) break;
  }
  return places;
}
