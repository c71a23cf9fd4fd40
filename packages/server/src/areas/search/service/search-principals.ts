// The search for principals: candidates are ranked by their names and bios, and shown with snippets.
import type { Db } from '#database';
import { findablePrincipals } from '#identity';
import { yieldAfterPieces } from '#lib/pieces';
import { listFoundPrincipals } from '../queries/find-principals.ts';
import { bioScoreOf, fitsNames, nameQueryOf, nameScoreOf } from '../rules/names.ts';
import type { NameQuery } from '../rules/names.ts';
import { pairsWanted } from '../rules/parse-query.ts';
import { pageOf } from '../rules/search-request.ts';
import type { FoundPage, ResolvedQuery } from '../rules/search-request.ts';
import { matchesIn, snippetOf } from '../rules/snippets.ts';
import type { Marking, Snippet } from '../rules/snippets.ts';

interface Ranked {
  readonly id: string;
  readonly score: number;
}

const SPACES = /\s+/g;
/** The number of words of names and bios on a page whose comparison is cached. */
const mostKnown = 10_000;

/** The best first; those with equal scores in the order of their registration. */
function isBefore(a: Ranked, b: Ranked): boolean {
  return a.score === b.score ? a.id < b.id : a.score > b.score;
}

/** Returns the rows after the previous page, one more than this page shows. */
function rankFound(
  rows: readonly Ranked[],
  { after, limit }: ResolvedQuery['request'],
): readonly Ranked[] {
  return rows
    .filter((row) => row.score > 0 && (after === undefined || isBefore(after, row)))
    .toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
    .slice(0, limit + 1);
}

interface Shown {
  readonly username: string;
  readonly display_name: string | null;
  readonly bio: string | null;
}

/**
 * Returns a snippet of the first of bio, display name and username with a match; the name first if it fits.
 */
function snippetFor(shown: Shown, marking: Marking, byName: boolean): Snippet {
  const { username } = shown;
  const name = shown.display_name ?? username;
  const bio = (shown.bio ?? '').replaceAll(SPACES, ' ').trim();
  const texts = byName ? [name, bio, username] : [bio, name, username];
  const found = texts.find((text) => matchesIn(text, marking).length > 0);
  return snippetOf(found ?? (bio === '' ? name : bio), marking);
}

function unitsOf({ username, display_name, bio }: Shown): number {
  return username.length + (display_name?.length ?? 0) + (bio?.length ?? 0);
}

function markingOf({ parsed, lexemes }: ResolvedQuery, name: NameQuery | undefined): Marking {
  const words = new Set(lexemes);
  const known = new Map<string, boolean>();
  const fits = (word: string) => words.has(word) || (name !== undefined && fitsNames(name, word));
  const isMatch = (word: string) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const isOne = fits(word);
    if (known.size < mostKnown) known.set(word, isOne);
    return isOne;
  };
  return { isMatch, pairs: pairsWanted(parsed) };
}

/** Returns a page of a search for principals; those that may not be found at this moment are omitted. */
export async function searchPrincipals({ db }: { readonly db: Db }, query: ResolvedQuery) {
  const { request, parsed } = query;
  const name = nameQueryOf(request.text, parsed);
  const found = await listFoundPrincipals(db, query, name);
  const scored = found.map(({ id, rank, ...names }) => ({
    id,
    score: (name && nameScoreOf(name, names)) || bioScoreOf(rank),
  }));
  const { shown, next } = pageOf(rankFound(scored, request), request);
  const scores = new Map(shown.map(({ id, score }) => [id, score]));
  const marking = markingOf(query, name);
  const principals = await findablePrincipals(db, [...scores.keys()]);
  const items = [];
  const yieldIfDue = yieldAfterPieces();
  for (const principal of principals) {
    await yieldIfDue(unitsOf(principal));
    const snippet = snippetFor(principal, marking, (scores.get(principal.id) ?? 0) >= 2);
    items.push({ type: 'principal' as const, principal, snippet });
  }
  return { items, next } satisfies FoundPage<unknown>;
}
