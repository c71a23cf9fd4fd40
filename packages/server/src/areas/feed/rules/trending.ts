// The score of a trending article, from its age and its support. Pure.
import { firstIdAt } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { Support, SupportKind } from '../queries/index.ts';

/** Points of one person for one kind of support. A link counts more: it is the supporter's own article. */
export const weights: Readonly<Record<SupportKind, number>> = { comment: 1, link: 2, follow: 1 };

export const supportKinds = Object.keys(weights) as readonly SupportKind[];

/** A follow supports the articles that the author published at most this many days before it. */
export const followDays = 7;

/** An arbitrary constant: only differences between scores matter. */
const epochMs = Date.UTC(2026, 0, 1);

/**
 * The hours of age that offset twice as many points. Longer texts are read and answered over days: with 12
 * hours, three supporters weigh as much as a day, and 255 keep an article up for four days.
 */
export const hoursOfDoubling = 12;

/**
 * Returns log2(1 + points) + publication time in units of 12 hours. The score changes with activity only:
 * time passes for all articles alike, and later articles start with a higher score, so no score is ever
 * recalculated for its age.
 */
export function scoreOf(points: number, publishedAt: string): number {
  const hours = (Date.parse(publishedAt) - epochMs) / 3_600_000;
  return Math.log2(1 + points) + hours / hoursOfDoubling;
}

/** Counts each person once per kind; the author's owner does not count. */
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

/** An id may be younger than its record if a clock was set back. */
const slackMs = 3_600_000;

/** Returns the time after an article's publication in which follows of its author support it. */
export function followSpan(publishedAt: string) {
  const ms = Date.parse(publishedAt);
  const end = ms + followDays * 86_400_000;
  return {
    from: publishedAt,
    to: timestamp(end),
    // An id is never older than its record.
    earliestId: firstIdAt(ms),
    latestId: firstIdAt(end + slackMs),
  };
}
