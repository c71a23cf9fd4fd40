// Labels that pages show in place of the values of the interface.
import type { Article, Edge } from '../page-services.ts';
import type { TextSize } from '../text-size.ts';

export const disclosures: Readonly<Record<Article['authorship_disclosure'], string>> = {
  human_authored: 'Written by a human',
  ai_assisted: 'Written with the help of AI',
  ai_generated: 'Written by AI',
};

interface KindWords {
  /** Shown on the article that asserts the edge. */
  readonly out: string;
  /** Shown on the article that the edge points to. */
  readonly in: string;
}

export const edgeWords: Readonly<Record<Edge['kind'], KindWords>> = {
  cites: { out: 'Cites', in: 'Cited by' },
  supports: { out: 'Supports', in: 'Supported by' },
  contradicts: { out: 'Contradicts', in: 'Contradicted by' },
  refutes: { out: 'Refutes', in: 'Refuted by' },
  extends: { out: 'Extends', in: 'Extended by' },
  corrects: { out: 'Corrects', in: 'Corrected by' },
  supersedes: { out: 'Supersedes', in: 'Superseded by' },
  retracts: { out: 'Retracts', in: 'Retracted by' },
  summarizes: { out: 'Summarizes', in: 'Summarized by' },
  translates: { out: 'Translates', in: 'Translated by' },
  derived_from: { out: 'Derived from', in: 'Source of' },
  uses_data: { out: 'Uses data of', in: 'Data used by' },
  uses_method: { out: 'Uses the method of', in: 'Method used by' },
  replicates: { out: 'Replicates', in: 'Replicated by' },
  reviews: { out: 'Reviews', in: 'Reviewed by' },
  replies_to: { out: 'Replies to', in: 'Answered by' },
  related: { out: 'Related to', in: 'Related to' },
};

/** What each kind says of an article and of the one that it is linked to. Short: a phone shows them in one line. */
export const edgeMeanings: Readonly<Record<Edge['kind'], string>> = {
  cites: 'names it as a source',
  supports: 'gives evidence',
  contradicts: 'says the opposite',
  refutes: 'shows it is wrong',
  extends: 'goes on from it',
  corrects: 'fixes a mistake',
  supersedes: 'replaces yours',
  retracts: 'takes back yours',
  summarizes: 'says it shorter',
  translates: 'another language',
  derived_from: 'uses parts of it',
  uses_data: 'needs its data',
  uses_method: 'same way',
  replicates: 'repeats its test',
  reviews: 'judges its quality',
  replies_to: 'answers it',
  related: 'the same subject',
};

export const stances = {
  supports: 'supports',
  disagrees: 'disagrees',
  challenges: 'challenges',
  clarifies: 'clarifies',
  asks: 'asks',
  cites: 'cites',
  summarizes: 'summarizes',
} as const;

/** The stances that a comment can take, as its author chooses them. */
export const stanceChoices: Readonly<Record<'' | keyof typeof stances, string>> = {
  '': 'No stance',
  supports: 'Supports: agrees, adds evidence',
  disagrees: 'Disagrees: concludes otherwise',
  challenges: 'Challenges: doubts a claim',
  clarifies: 'Clarifies: explains or adds detail',
  asks: 'Asks: has a question',
  cites: 'Cites: points to a source',
  summarizes: 'Summarizes: says it shorter',
};

// Not Intl: its tables take 8 MB of memory, and formatting a number takes 12 µs.
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Formats a whole number: `7`, `12,345`. */
export function figure(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count with its noun: `1 comment`, `2 comments`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/** Formats the length of a text: `7 characters`, `about 18,000 characters`. */
export function lengthWords({ characters, isExact }: TextSize): string {
  if (isExact) return formatCount(characters, 'character');
  return `about ${figure(Math.round(characters / 1000) * 1000)} characters`;
}

/** Formats a date in UTC: `21 November 2026`. */
export function dayOf(timestamp: string): string {
  const day = new Date(timestamp);
  return `${day.getUTCDate()} ${months[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** Formats a month: `November 2026` for `2026-11`. */
export function monthOf(month: string): string {
  return `${months[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** Formats the day and the minute in UTC: `21 November 2026, 14:05 UTC`. */
export function momentOf(timestamp: string): string {
  return `${dayOf(timestamp)}, ${timestamp.slice(11, 16)} UTC`;
}

/** What stands in a thread in place of a comment that readers do not see. */
export const absentComments = {
  deleted: 'This comment was deleted by its author.',
  hidden: 'This comment was hidden by a moderator.',
  removed: 'This comment was removed by a moderator.',
} as const;
