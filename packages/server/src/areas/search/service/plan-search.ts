// Plans a search for articles: how much of the index it scans, by statistics of words and of times. All of it for rare
// words, the newest part for common ones.
import type { Db } from '#database';
import { listHorizons, listShares } from '../queries/query-words.ts';
import type { Horizon } from '../queries/query-words.ts';
import { spanMarks } from '../rules/index-tags.ts';
import type { Required, ResolvedQuery } from '../rules/search-request.ts';

/** The share of all articles that have a lexeme or mark; '' is the maximum share of unknown ones. */
type Shares = ReadonlyMap<string, number>;

/** The filters of time, and how far back to go. */
interface Time {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly now: Date;
  readonly step: number;
}

/** Approximate number of matches to visit: sorting them by time costs a visit to each. */
const matchesBudget = 100;
/** Maximum number of articles with the rarest word: the index scan steps through them. */
const stepsBudget = 30_000;
/** Up to this many matches are all ranked: limiting them to time spans would cost more. */
const wholeBudget = 300;
/** The factor by which each step extends the time. */
const growth = 2;
/** The maximum number of steps at once if nothing was found. */
const mostSteps = 8;

interface Estimate {
  /** The estimated shares of articles that the index scan steps through, and that match. */
  readonly steps: number;
  readonly matches: number;
  readonly isKnown: boolean;
}

function estimate(required: Required, shares: Shares): Estimate {
  // Half of the maximum: a second scan costs less than twice the necessary matches.
  const unknown = (shares.get('') ?? 0) / 2;
  const shareOfAny = (words: readonly string[]) =>
    words.reduce((sum, word) => sum + (shares.get(word) ?? unknown), 0);
  const [rarest = 0, ...others] = required.map(shareOfAny).toSorted((a, b) => a - b);
  // Words of one query occur together more often than by chance: the geometric mean of chance and always.
  const together = others.reduce((product, share) => product * Math.min(1, share), 1);
  const isKnown = required.flat().every((word) => shares.has(word));
  return { steps: rarest, matches: rarest * Math.sqrt(together), isKnown };
}

/**
 * Sums the estimates of all parses. An article has one language, so the shares of the forms of a known word
 * add up. An unknown word is counted once, in however many forms it is searched.
 */
function sumOf(estimates: readonly Estimate[], member: 'steps' | 'matches'): number {
  const sum = estimates
    .filter(({ isKnown }) => isKnown)
    .reduce((total, one) => total + one[member], 0);
  const guesses = estimates.filter(({ isKnown }) => !isKnown).map((one) => one[member]);
  return sum + Math.max(0, ...guesses);
}

/** Returns the share of all articles, the newest, to scan; 1 or more is all. */
function shareToSearch(readings: readonly Required[], shares: Shares, articles: number): number {
  const estimates = readings.map((required) => estimate(required, shares));
  const matches = articles * sumOf(estimates, 'matches');
  if (matches <= wholeBudget) return 1;
  return Math.min(matchesBudget / matches, stepsBudget / (articles * sumOf(estimates, 'steps')));
}

const newerThan = (time: string | undefined, horizons: readonly Horizon[]) =>
  time === undefined ? 0 : (horizons.find(({ at }) => at <= time)?.newer ?? 0);

/**
 * Returns the time since which `newer` articles were published; undefined if the horizons contain fewer.
 */
function timeOf(newer: number, horizons: readonly Horizon[]): string | undefined {
  const place = horizons.findIndex((horizon) => horizon.newer >= newer);
  const [after, before] = [horizons[place - 1], horizons[place]];
  if (before === undefined || after === undefined) return before?.at;
  const part = (newer - after.newer) / (before.newer - after.newer);
  const [from, to] = [Date.parse(after.at), Date.parse(before.at)];
  return new Date(from + (to - from) * part).toISOString();
}

/**
 * Returns the step to try next when a search found fewer than `enough`: as much further back as the results
 * suggest, for half as many again.
 */
export function stepAfter(step: number, found: number, enough: number): number {
  const farther = Math.ceil(Math.log2((enough * 1.5) / Math.max(1, found)));
  return step + Math.min(mostSteps, Math.max(1, farther));
}

/**
 * Returns marks of time spans, of which an article must have one to be scanned; undefined: any time. They
 * cover the time from `until`, or now, back to where enough matches are expected: with each `step` twice as
 * many articles.
 */
export function spansToSearch(
  readings: readonly Required[],
  shares: Shares,
  horizons: readonly Horizon[],
  { since, until, now, step }: Time,
): readonly string[] | undefined {
  const [newest, last] = [horizons[0], horizons.at(-1)];
  if (newest === undefined || last === undefined) return undefined;
  const share = shareToSearch(readings, shares, last.newer) * growth ** step;
  const oldest = timeOf(newerThan(until, horizons) + share * last.newer, horizons);
  if (share >= 1 || oldest === undefined) return undefined;
  const from = new Date(since !== undefined && since > oldest ? since : oldest);
  if (until !== undefined) return spanMarks(from, new Date(until));
  // Articles since the statistics were taken have spans of their own.
  const known = spanMarks(from, new Date(newest.at));
  const sinceThen = spanMarks(new Date(newest.at), now);
  return known && sinceThen && [...new Set([...sinceThen, ...known])];
}

/** The shares of words in texts and in titles, each with those of marks, and the horizons. */
async function readStatistics(db: Db) {
  const [all, horizons] = await Promise.all([listShares(db), listHorizons(db)]);
  const sharesIn = (wanted: 'document' | 'title') =>
    new Map(
      all
        .filter(({ place, word }) => place === wanted || (place === 'marks' && word !== ''))
        .map(({ word, share }) => [word, share]),
    );
  return { document: sharesIn('document'), title: sharesIn('title'), horizons };
}

type Statistics = ReturnType<typeof readStatistics>;

const cachedMs = 60_000;
const cached = new WeakMap<Db, { readonly statistics: Statistics; readonly until: number }>();

/** Returns statistics of the last minute: they change at most every ten minutes, and each search needs them. */
function recentStatistics(db: Db, now: Date): Statistics {
  const last = cached.get(db);
  if (last !== undefined && now.getTime() < last.until) return last.statistics;
  const statistics = readStatistics(db);
  cached.set(db, { statistics, until: now.getTime() + cachedMs });
  // The next call queries again.
  statistics.catch(() => cached.delete(db));
  return statistics;
}

/**
 * Returns a function that fills in the spans to scan: everything for rare words, the newest articles for very
 * common ones. Call it with 0, then with larger steps while a step finds too little. The statistics decide how
 * much a search scans, never what it may find.
 */
export async function planSearch(
  db: Db,
  query: ResolvedQuery,
): Promise<(step: number) => ResolvedQuery> {
  const { required, request } = query;
  const { since, until } = request.filters;
  const { document, title, horizons } = await recentStatistics(db, request.now);
  return (step) => {
    const time = { since, until, now: request.asOf, step };
    const spans = spansToSearch(required, document, horizons, time);
    return { ...query, spans, titleSpans: spansToSearch(required, title, horizons, time) };
  };
}
