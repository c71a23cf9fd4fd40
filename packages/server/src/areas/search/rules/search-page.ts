// Pages of a search: where a page ends, and the cursor that continues there, valid only for its own search.
import { createHash } from 'node:crypto';
import { limits } from '@colophon/contract';
import { isId } from '#lib/id';
import type { PageEnd, SearchRequest } from './search-request.ts';

/** Identifies a search: a hash of every parameter except those of the page. */
function fingerprint(query: Readonly<Record<string, unknown>>): string {
  const { cursor: _, limit: __, ...same } = query;
  const members = Object.entries(same).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 8);
}

type Query = Readonly<Record<string, unknown>>;

export function cursorOf(end: PageEnd, query: Query): string {
  const { score, id, shown, extent, asOf } = end;
  const value = [fingerprint(query), score, id, shown, extent, asOf];
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** PostgreSQL and the contract use years of four digits. */
const lastMs = Date.UTC(9999, 11, 31);

const isWhole = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

function isPageEnd(value: unknown): value is [string, number, string, number, number, number] {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [made, score, id, shown, extent, asOf] = value as readonly unknown[];
  return (
    typeof made === 'string' &&
    Number.isFinite(score) &&
    typeof id === 'string' &&
    isId(id) &&
    isWhole(shown, 1) &&
    isWhole(extent, 0) &&
    isWhole(asOf, 0, lastMs)
  );
}

/** Returns the end of the page in a cursor; 'wrong' if it is invalid, 'other' if it belongs to another search. */
export function readCursor(cursor: string, query: Query): PageEnd | 'wrong' | 'other' {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder ignores surplus characters, so one position would have several cursors.
  if (bytes.toString('base64url') !== cursor) return 'wrong';
  let value: unknown;
  try {
    // oxlint-disable-next-line no-restricted-properties -- the shape is checked below, and nothing else of it is used
    value = JSON.parse(bytes.toString());
  } catch {
    return 'wrong';
  }
  if (!isPageEnd(value)) return 'wrong';
  const [made, score, id, shown, extent, asOf] = value;
  if (made !== fingerprint(query)) return 'other';
  return { score, id, shown, extent, asOf };
}

/** The words to search: as typed; with alternatives for words in no title; with alternatives for all. */
export const levels = ['typed', 'unknown', 'every'] as const;
export type Level = (typeof levels)[number];

/** How much a search covers: which words, and how far back in time. Its number is in the cursor. */
export interface Extent {
  readonly level: Level;
  /** How far back in time. */
  readonly step: number;
  /** The step of the typed query; undefined if it found nothing, or if the level is `typed`. */
  readonly typedStep: number | undefined;
}

/** More than any search needs: the whole index is reached in far fewer steps. */
const steps = 64;

const clampStep = (step: number) => Math.min(step, steps - 1);

export function numberOf({ level, step, typedStep }: Extent): number {
  const typed = typedStep === undefined ? 0 : clampStep(typedStep) + 1;
  return (typed * steps + clampStep(step)) * levels.length + levels.indexOf(level);
}

export function extentOf(number: number): Extent {
  const both = Math.floor(number / levels.length);
  const typed = Math.floor(both / steps);
  return {
    level: levels[number % levels.length] ?? 'typed',
    step: both % steps,
    typedStep: typed === 0 ? undefined : typed - 1,
  };
}

/** A page of hits, and the end of it; `next` is undefined on the last page. */
export interface FoundPage<H> {
  readonly items: readonly H[];
  readonly next: PageEnd | undefined;
}

/** Returns the time that a page covers: pages after the first exclude later articles and comments. */
export function timeOfPage(
  after: PageEnd | undefined,
  now: Date,
  until: string | undefined,
): Pick<SearchRequest, 'asOf' | 'before'> {
  if (after === undefined) return { asOf: now, before: until };
  const since = new Date(after.asOf + 1).toISOString();
  const before = until === undefined || since < until ? since : until;
  return { asOf: new Date(after.asOf), before };
}

/** Returns the rows of a page, from one more than its limit, and where it ends. */
export function pageOf<R extends Pick<PageEnd, 'score' | 'id'>>(
  rows: readonly R[],
  request: SearchRequest,
  extent = 0,
): { readonly shown: readonly R[]; readonly next: PageEnd | undefined } {
  const most = limits.search_results_max;
  const before = request.after?.shown ?? 0;
  const shown = rows.slice(0, Math.max(0, Math.min(request.limit, most - before)));
  const last = shown.at(-1);
  const count = before + shown.length;
  if (last === undefined || rows.length <= shown.length || count >= most)
    return { shown, next: undefined };
  const { score, id } = last;
  return { shown, next: { score, id, shown: count, extent, asOf: request.asOf.getTime() } };
}
