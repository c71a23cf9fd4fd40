// What trends: the score of an article over its age and over who took it up. Pure.
import { toCrockford } from '#lib/crockford';
import { timestamp } from '#lib/timestamp';
import type { Support, SupportKind } from '../queries/index.ts';

/** Points of one person for one kind of support. A link is an article of one's own that builds on this one. */
export const weights: Readonly<Record<SupportKind, number>> = { comment: 1, link: 2, follow: 1 };

export const supportKinds = Object.keys(weights) as readonly SupportKind[];

/** A follow speaks for what the author had published so shortly before it. */
export const followDays = 7;

/** Any constant: only differences between scores mean something. */
const epochMs = Date.UTC(2026, 0, 1);

/**
 * What it is worth to have twice as many points. Texts of some length are read and answered over days: with
 * 12 hours three people weigh as much as a day, and 255 keep an article up for four.
 */
export const hoursOfDoubling = 12;

/**
 * log2(1 + points) + age in units of 12 hours. It changes by activity only: time passes for all articles
 * alike, and what is published later begins higher, so nothing is ever calculated anew.
 */
export function scoreOf(points: number, publishedAt: string): number {
  const hours = (Date.parse(publishedAt) - epochMs) / 3_600_000;
  return Math.log2(1 + points) + hours / hoursOfDoubling;
}

/** Each person once of each kind; who answers for the author gives nothing. */
export function distinctSupport(
  support: readonly Support[],
  authorsOwnerId: string,
): readonly Support[] {
  const byKey = new Map(support.map((one) => [`${one.kind} ${one.owner_id}`, one]));
  return [...byKey.values()].filter(({ owner_id: owner }) => owner !== authorsOwnerId);
}

export function pointsOf(support: readonly Pick<Support, 'kind'>[]): number {
  return support.reduce((sum, { kind }) => sum + weights[kind], 0);
}

/** The time after an article's publication in which follows of its author speak for it. */
export function followSpan(publishedAt: string) {
  const ms = Date.parse(publishedAt);
  return {
    from: publishedAt,
    to: timestamp(ms + followDays * 86_400_000),
    // An id is never older than the record that has it.
    earliestId: toCrockford(Math.max(0, ms), 10) + '0'.repeat(16),
  };
}
