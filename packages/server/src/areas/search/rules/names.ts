// Names of principals: what they are found by, and how well a name fits what was typed.
import { toNormalForm } from '#lib/normal-form';
import { stripDiacritics } from '#lib/slug';
import type { QueryText } from './query-text.ts';
import { quoted } from './tsquery.ts';
import { isOneEditAway, mayHaveTypo, nearbyOf } from './spelling.ts';

export interface Names {
  readonly username: string;
  readonly display_name: string | null;
}

const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const USERNAME = /^[a-z0-9][a-z0-9_-]*$/;

function nameWords(text: string): readonly string[] {
  return stripDiacritics(text).match(WORDS) ?? [];
}

/** A name without what stands between its words: `john-smith` and `John Smith` are `johnsmith`. */
function whole(text: string): string {
  return nameWords(text).join('');
}

/** What a principal's names are indexed as: as they are, and without accents. */
export function namesText({ username, display_name }: Names): string {
  const given = toNormalForm(display_name ?? '');
  return [username, whole(username), given, stripDiacritics(given)].join(' ');
}

/** The words of both names without accents, each once. */
export function wordsOfNames({ username, display_name }: Names): readonly string[] {
  return [...new Set([...nameWords(username), ...nameWords(display_name ?? '')])];
}

function nearbyOfWord(word: string): readonly number[] {
  return /\P{N}/u.test(word) ? nearbyOf(word) : [];
}

/** What names a typo apart have one of; not of the numbers in them, of which there are too many. */
export function nearbyOfNames(names: Names): readonly number[] {
  return [...new Set(wordsOfNames(names).flatMap(nearbyOfWord))];
}

/** What was typed, read as a name. */
export interface NameQuery {
  /** What a username may begin with; undefined: no username has such characters. */
  readonly username: string | undefined;
  /** As it was typed, without accents. */
  readonly text: string;
  readonly whole: string;
  readonly words: readonly string[];
  /** A tsquery of names that have all the words, the last one perhaps longer; undefined: too short. */
  readonly beginning: string | undefined;
  /** For each word, numbers one of which a name has; empty: none of them may have a typo. */
  readonly nearby: readonly (readonly number[])[];
  /** The same for all of it in one word. */
  readonly nearbyWhole: readonly number[];
}

const mostWords = 6;
const shortestBeginning = 2;

/** Whether it may be a name: nothing in quotes, nothing to leave out, one thing to look for. */
function mayBeName(typed: string, { groups }: QueryText): boolean {
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
  return [...words.slice(0, -1).map(quoted), `${quoted(last)}:*`].join(' & ');
}

/** Reads what was typed as a name; undefined when it asks for something else. */
export function nameQueryOf(typed: string, query: QueryText): NameQuery | undefined {
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

/** Whether every word that was typed is one of a name's, in the way that `fits` says. */
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

const isSame = (typed: string, own: string) => typed === own;
const begins = (typed: string, own: string, isLast: boolean) =>
  typed === own || (isLast && [...typed].length >= shortestBeginning && own.startsWith(typed));
const isNear = (typed: string, own: string, isLast: boolean) =>
  begins(typed, own, isLast) ||
  (mayHaveTypo(typed) && mayHaveTypo(own) && isOneEditAway(typed, own));

/** How much of a name was typed, between 0 and 1, 1 left out: of names that fit alike the shorter is better. */
function part(typed: string, own: string): number {
  return (0.99 * Math.min(typed.length, own.length)) / Math.max(typed.length, own.length, 1);
}

/**
 * How well a principal fits, the higher the better: the username itself (6), either name but for what
 * stands between its words (5), the beginning of one (4), words of them (3), the same with a typo in each
 * word (2). 0: only its bio may.
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
  if (allFit(words, own, isSame) || allFit(words, own, begins)) return 3 + best;
  const isWholeNear = wholes.some((name) => isNear(query.whole, name, false));
  return isWholeNear || allFit(words, own, isNear) ? 2 + best : 0;
}

/** Above every fit of a bio, below every fit of a name; `rank` is PostgreSQL's. */
export function bioScoreOf(rank: number): number {
  return rank <= 0 ? 0 : 1 + Math.min(rank, 0.99);
}

/** Whether a word of a name or a bio, in lower case, is one that was typed, its beginning or a typo away. */
export function fitsNames({ words, whole: typed }: NameQuery, word: string): boolean {
  const plain = stripDiacritics(word);
  return (
    words.some((one, place) => isNear(one, plain, place === words.length - 1)) ||
    isNear(typed, plain, false)
  );
}
