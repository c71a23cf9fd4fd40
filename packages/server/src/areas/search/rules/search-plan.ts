// How much of the index a search goes through: all of it for rare words, the newest of it for common ones.
import { spanMarks } from './index-tags.ts';

/** A lexeme or mark, and which share of all articles has it; '' is the share of those that are not known, at most. */
export type Shares = ReadonlyMap<string, number>;

/** How many articles are newer than a time, from the newest to the oldest. */
export interface Horizon {
  readonly newer: number;
  readonly at: string;
}

/** The words of one reading of a query, and the marks: one of each list must be there. */
export type Required = readonly (readonly string[])[];

interface Time {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly now: Date;
}

/** So many matches are looked at, about: to put them in order of time costs a visit to each. */
const matchesBudget = 100;
/** So many articles that have the rarest of the words: the index scan steps through them. */
const stepsBudget = 30_000;
/** So many matches at most are all looked at: fewer than the spans of time would take to go through. */
const wholeBudget = 300;
/** How much farther back the next step goes. */
const growth = 2;
/** So many steps at once where nothing was found. */
const mostSteps = 8;

interface Estimate {
  /** Shares of the articles that the index scan steps through for a reading, and that match it, about. */
  readonly steps: number;
  readonly matches: number;
  readonly isKnown: boolean;
}

function estimate(required: Required, shares: Shares): Estimate {
  // Half of what it may be at most: a second look costs less than twice the matches that are needed.
  const unknown = (shares.get('') ?? 0) / 2;
  const shareOfAny = (words: readonly string[]) =>
    words.reduce((sum, word) => sum + (shares.get(word) ?? unknown), 0);
  const [rarest = 0, ...others] = required.map(shareOfAny).toSorted((a, b) => a - b);
  // Words of one query come together more often than by chance: half the way to that.
  const together = others.reduce((product, share) => product * Math.min(1, share), 1);
  const isKnown = required.flat().every((word) => shares.has(word));
  return { steps: rarest, matches: rarest * Math.sqrt(together), isKnown };
}

/**
 * Of all readings together. An article is of one language: what the forms of a known word have adds up. A word
 * that is not known is guessed at once, in however many forms it is looked for.
 */
function sumOf(estimates: readonly Estimate[], member: 'steps' | 'matches'): number {
  const sum = estimates
    .filter(({ isKnown }) => isKnown)
    .reduce((total, one) => total + one[member], 0);
  const guesses = estimates.filter(({ isKnown }) => !isKnown).map((one) => one[member]);
  return sum + Math.max(0, ...guesses);
}

/** The share of all articles, the newest, that a search goes through; 1 and more is all. */
function shareToSearch(readings: readonly Required[], shares: Shares, articles: number): number {
  const estimates = readings.map((required) => estimate(required, shares));
  const matches = articles * sumOf(estimates, 'matches');
  if (matches <= wholeBudget) return 1;
  return Math.min(matchesBudget / matches, stepsBudget / (articles * sumOf(estimates, 'steps')));
}

function newerThan(time: string, horizons: readonly Horizon[]): number {
  return horizons.find(({ at }) => at <= time)?.newer ?? 0;
}

/** The time since which that many were published; undefined: there are no more than are known. */
function timeOf(newer: number, horizons: readonly Horizon[]): string | undefined {
  const place = horizons.findIndex((horizon) => horizon.newer >= newer);
  const [after, before] = [horizons[place - 1], horizons[place]];
  if (before === undefined || after === undefined) return before?.at;
  const part = (newer - after.newer) / (before.newer - after.newer);
  const [from, to] = [Date.parse(after.at), Date.parse(before.at)];
  return new Date(from + (to - from) * part).toISOString();
}

/**
 * Which step to try next when a search found fewer than are enough: as much farther back as what it found
 * says is needed for half as many again.
 */
export function stepAfter(step: number, found: number, enough: number): number {
  const farther = Math.ceil(Math.log2((enough * 1.5) / Math.max(1, found)));
  return step + Math.min(mostSteps, Math.max(1, farther));
}

const later = (one: string, other: string | undefined) =>
  other !== undefined && other > one ? other : one;

/**
 * Marks of spans of time, one of which an article must have to be looked at; undefined: any time. They
 * cover the time between `until`, or now, and as far back as is needed to find enough: with each `step`
 * twice as much.
 */
export function spansToSearch(
  readings: readonly Required[],
  shares: Shares,
  horizons: readonly Horizon[],
  { since, until, now, step }: Time & { readonly step: number },
): readonly string[] | undefined {
  const [newest, last] = [horizons[0], horizons.at(-1)];
  if (newest === undefined || last === undefined) return undefined;
  const share = shareToSearch(readings, shares, last.newer) * growth ** step;
  const skipped = until === undefined ? 0 : newerThan(until, horizons);
  const oldest = timeOf(skipped + share * last.newer, horizons);
  if (share >= 1 || oldest === undefined) return undefined;
  const from = new Date(later(oldest, since));
  if (until !== undefined) return spanMarks(from, new Date(until));
  // What came since the statistics were taken has spans of its own.
  const known = spanMarks(from, new Date(newest.at));
  const sinceThen = spanMarks(new Date(newest.at), now);
  return known && sinceThen && [...new Set([...sinceThen, ...known])];
}
