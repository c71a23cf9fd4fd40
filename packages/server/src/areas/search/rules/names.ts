// Names of principals: their indexed forms, and the score of a name for a query.
import { toNormalForm } from '@colophon/text/lib/normal-form';
import { stripDiacritics } from '#lib/slug';
import type { ParsedQuery } from './parse-query.ts';
import { isOneEditAway, mayHaveTypo, nearbyOf } from './spelling.ts';
import { quoteLexeme } from './text-forms.ts';

export interface Names {
  readonly username: string;
  readonly display_name: string | null;
}

const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const USERNAME = /^[a-z0-9][a-z0-9_-]*$/;

function nameWords(text: string): readonly string[] {
  return stripDiacritics(text).match(WORDS) ?? [];
}

/** Returns a name without separators: `john-smith` and `John Smith` become `johnsmith`. */
function whole(text: string): string {
  return nameWords(text).join('');
}

/** Returns the text under which a principal's names are indexed: unchanged, and without accents. */
export function namesText({ username, display_name }: Names): string {
  const given = toNormalForm(display_name ?? '');
  return [username, whole(username), given, stripDiacritics(given)].join(' ');
}

/** Returns the distinct words of both names without accents. */
export function wordsOfNames({ username, display_name }: Names): readonly string[] {
  return [...new Set([...nameWords(username), ...nameWords(display_name ?? '')])];
}

function nearbyOfWord(word: string): readonly number[] {
  return /\P{N}/u.test(word) ? nearbyOf(word) : [];
}

/**
 * Returns the numbers by which names with a typo are found; not of words that are numbers, which are too
 * many.
 */
export function nearbyOfNames(names: Names): readonly number[] {
  return [...new Set(wordsOfNames(names).flatMap(nearbyOfWord))];
}

/** A query, read as a name. */
export interface NameQuery {
  /** The prefix of a username; undefined: no username contains these characters. */
  readonly username: string | undefined;
  /** The query as typed, without accents. */
  readonly text: string;
  readonly whole: string;
  readonly words: readonly string[];
  /** A tsquery of names with all the words, the last one as a prefix; undefined: too short. */
  readonly beginning: string | undefined;
  /** For each word, numbers of which a name must have one; empty: no word may have a typo. */
  readonly nearby: readonly (readonly number[])[];
  /** The same for all words joined into one. */
  readonly nearbyWhole: readonly number[];
}

const mostWords = 6;
const shortestBeginning = 2;

/** Returns whether the query may be a name: no quotes, no exclusions, and a single group. */
function mayBeName(typed: string, { groups }: ParsedQuery): boolean {
  const [group] = groups;
  const isPlain = groups.length === 1 && !/["“”„‟«»＂]/.test(typed);
  return (
    isPlain &&
    group !== undefined &&
    group.unwanted.length === 0 &&
    group.unwantedPairs.length === 0
  );
}

function beginningOf(words: readonly string[]): string | undefined {
  const last = words.at(-1) ?? '';
  if ([...last].length < shortestBeginning) return undefined;
  return [...words.slice(0, -1).map(quoteLexeme), `${quoteLexeme(last)}:*`].join(' & ');
}

/** Reads the query as a name; returns undefined if it cannot be one. */
export function nameQueryOf(typed: string, query: ParsedQuery): NameQuery | undefined {
  if (!mayBeName(typed, query)) return undefined;
  const text = stripDiacritics(typed.toWellFormed()).trim().replace(/^@/, '');
  const words = nameWords(text).slice(0, mostWords);
  return {
    username: USERNAME.test(text) ? text : undefined,
    text,
    whole: words.join(''),
    words,
    beginning: beginningOf(words),
    nearby: words.map(nearbyOfWord).filter((numbers) => numbers.length > 0),
    nearbyWhole: words.length > 1 ? nearbyOf(words.join('')) : [],
  };
}

/** Returns whether every typed word fits one of a name's words, according to `fits`. */
function allFit(
  typed: readonly string[],
  own: readonly string[],
  fits: (typed: string, own: string, isLast: boolean) => boolean,
): boolean {
  return (
    typed.length > 0 &&
    typed.every((word, place) => own.some((other) => fits(word, other, place === typed.length - 1)))
  );
}

const begins = (typed: string, own: string, isLast: boolean) =>
  typed === own || (isLast && [...typed].length >= shortestBeginning && own.startsWith(typed));
const isNear = (typed: string, own: string, isLast: boolean) =>
  begins(typed, own, isLast) ||
  (mayHaveTypo(typed) && mayHaveTypo(own) && isOneEditAway(typed, own));

/**
 * Returns how much of a name was typed, from 0 up to but excluding 1: among equal fits the shorter name is
 * better.
 */
function part(typed: string, own: string): number {
  return (0.99 * Math.min(typed.length, own.length)) / Math.max(typed.length, own.length, 1);
}

/**
 * Returns how well a principal fits, the higher the better: the exact username (6), either name except for
 * separators (5), the beginning of one (4), words of them (3), the same with a typo in each word (2). 0:
 * only its bio may fit.
 */
export function nameScoreOf(query: NameQuery, names: Names): number {
  const { text, words } = query;
  const display = stripDiacritics(names.display_name ?? '');
  if (names.username === text) return 6;
  const wholes = [whole(names.username), whole(display)].filter((name) => name !== '');
  if (display === text || wholes.includes(query.whole)) return 5;
  const begun = wholes.filter((name) => query.whole !== '' && name.startsWith(query.whole));
  if (begun.length > 0) return 4 + Math.max(...begun.map((name) => part(query.whole, name)));
  const own = [...nameWords(names.username), ...nameWords(display)];
  const best = Math.max(...wholes.map((name) => part(query.whole, name)), 0);
  if (allFit(words, own, begins)) return 3 + best;
  const isWholeNear = wholes.some((name) => isNear(query.whole, name, false));
  return isWholeNear || allFit(words, own, isNear) ? 2 + best : 0;
}

/**
 * Returns a score from 1 to 1.99, below every fit of a name; 0 if the bio does not match. `rank` is
 * PostgreSQL's.
 */
export function bioScoreOf(rank: number): number {
  return rank <= 0 ? 0 : 1 + Math.min(rank, 0.99);
}

/**
 * Returns whether a lower-case word of a name or bio equals a typed word, begins with the last one, or is a
 * typo away.
 */
export function fitsNames({ words, whole: typed }: NameQuery, word: string): boolean {
  const plain = stripDiacritics(word);
  return (
    words.some((one, place) => isNear(one, plain, place === words.length - 1)) ||
    isNear(typed, plain, false)
  );
}
