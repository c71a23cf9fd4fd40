// Snippets of articles and comments: the parts of their texts that match a search.
import { listedPieces } from '#articles';
import type { Db } from '#database';
import { nextTurn, turnsAfterPieces } from '#lib/pieces';
import { plainText } from '#lib/plain-text';
import { stripDiacritics } from '#lib/slug';
import { listForms } from '../queries/lexize-query.ts';
import { pairsWanted } from '../rules/parse-query.ts';
import type { ResolvedQuery } from '../rules/search-request.ts';
import {
  beginningsOf,
  matchesIn,
  positionsToSearch,
  snippetAround,
  wordsLike,
} from '../rules/snippets.ts';
import type { Marking, Snippet, WordPositions } from '../rules/snippets.ts';
import { shownPieces, shownText } from '../rules/text-forms.ts';

interface FoundText {
  readonly id: string;
  readonly configuration: string;
  readonly content: string;
}

/** The part of a text that is searched first; usually all of it. */
export const firstPiece = { from: 1, length: 12_000 } as const;
/** The part that is searched next, for a few texts without a match in the first. */
const secondPiece = { from: firstPiece.length + 1, length: 200_000 } as const;
const secondLooks = 5;

/** Length of a piece before and after a position, in UTF-16 code units. */
const before = 400;
const after = 600;

interface Word {
  readonly configuration: string;
  readonly word: string;
}

/** Lexemes by configuration and word, with a space between. */
type Forms = Map<string, readonly string[]>;

/**
 * When the cache is full it is cleared: that costs one statement, while an order of use would cost time for
 * every word.
 */
const mostCached = 20_000;
/**
 * Longer words are rare, and would take the space of thousands: with this limit the cache needs some
 * megabytes.
 */
const longestCached = 64;
const cached = new WeakMap<Db, Forms>();

const keyOf = ({ configuration, word }: Word) => `${configuration} ${word}`;

/** Returns the lexemes of words; one round trip if some are new. Texts repeat words, so they are cached. */
export async function formsOf(db: Db, words: readonly Word[]): Promise<Forms> {
  const known: Forms = cached.get(db) ?? new Map();
  const unknown = words.filter((word) => !known.has(keyOf(word)));
  const asked = await listForms(db, unknown);
  const found: Forms = new Map(
    words.map((word) => [keyOf(word), known.get(keyOf(word)) ?? asked.get(keyOf(word)) ?? []]),
  );
  const kept: Forms = known.size + asked.size > mostCached ? new Map() : known;
  // The keys come from the database: a substring of a text would keep the whole text in memory.
  for (const [key, lexemes] of asked) if (key.length <= longestCached) kept.set(key, lexemes);
  cached.set(db, kept);
  return found;
}

/** The displayed form of a text, and the words in it that may match. */
interface ShownWords {
  readonly shown: string;
  readonly words: WordPositions;
}

/** What to mark in these texts. */
export interface TextMarking extends Marking {
  /** By text: both take longest, and are made once. */
  readonly known: ReadonlyMap<string, ShownWords>;
}

/**
 * The maximum number of different words whose forms are queried: a hundred texts written by people have
 * fewer.
 */
const mostForms = 4_000;
/** The maximum of their UTF-16 units in all: four times as many as so many words of people have. */
const mostUnits = 128 * 1024;

type Worked = ReturnType<typeof turnsAfterPieces>;

async function shownInTurns(content: string, worked: Worked): Promise<string> {
  let shown = '';
  for (const piece of shownPieces(content)) {
    shown += piece;
    await worked(piece.length);
  }
  return shown;
}

/** Returns which words match. Each is compared once: a hostile one has hundreds of marks to remove. */
function matcherOf(forms: Forms, lexemes: ReadonlySet<string>): (word: Word) => boolean {
  const known = new Map<string, boolean>();
  let units = mostUnits;
  return (asked) => {
    const key = keyOf(asked);
    const before = known.get(key);
    if (before !== undefined) return before;
    const { word } = asked;
    const isForm = (forms.get(key) ?? []).some((lexeme) => lexemes.has(lexeme));
    if (!isForm && !isAscii(word)) units -= word.length;
    const isMatch = isForm || (units > 0 && isWithMarks(word, lexemes));
    known.set(key, isMatch);
    return isMatch;
  };
}

/** Returns which words of these texts match; their forms are queried from PostgreSQL in one statement. */
export async function markingsOf(
  db: Db,
  texts: readonly Pick<FoundText, 'configuration' | 'content'>[],
  query: ResolvedQuery,
): Promise<(text: Pick<FoundText, 'configuration'>) => TextMarking> {
  const lexemes = new Set([...query.lexemes, ...query.parsed.words]);
  const beginnings = beginningsOf(lexemes);
  const known = new Map<string, ShownWords>();
  const once = new Map<string, Word>();
  let units = 0;
  const worked = turnsAfterPieces();
  for (const { configuration, content } of texts) {
    const shown = await shownInTurns(content, worked);
    const words = wordsLike(shown, beginnings);
    known.set(content, { shown, words });
    for (const word of words.keys()) {
      const key = keyOf({ configuration, word });
      if (once.has(key) || once.size >= mostForms || units >= mostUnits) continue;
      once.set(key, { configuration, word });
      units += word.length;
    }
  }
  const isMatch = matcherOf(await formsOf(db, [...once.values()]), lexemes);
  const pairs = pairsWanted(query.parsed);
  return ({ configuration }) => ({
    pairs,
    beginnings,
    known,
    isMatch: (word) => isMatch({ configuration, word }),
  });
}

const isAscii = (word: string) => /^[\0-\u007f]*$/.test(word);

/** café matches cafe. */
function isWithMarks(word: string, lexemes: ReadonlySet<string>): boolean {
  if (isAscii(word)) return false;
  const plain = stripDiacritics(word);
  return plain !== word && lexemes.has(plain);
}

/** Returns the start of a nearby line: a piece of Markdown is parsed best from there. */
function startOf(content: string, place: number): number {
  const near = Math.max(0, place - before);
  const line = content.indexOf('\n', near - 1);
  return near === 0 || line < 0 || line >= place ? near : line + 1;
}

/**
 * Returns a snippet from the part of the text where a match is displayed: a match may be in an address. The
 * text is one of those of the marking.
 */
export function foundSnippet(content: string, marking: TextMarking): Snippet | undefined {
  const { shown, words } = marking.known.get(content) ?? { shown: '', words: new Map() };
  for (const place of positionsToSearch(shown, marking, words)) {
    const start = startOf(shown, place);
    const limit = place - start + after;
    const piece = plainText(shown.slice(start, place + after), { limit, inlineCode: true });
    // Unescaping Markdown may change the displayed form.
    const text = shownText(piece);
    const matches = matchesIn(text, marking);
    if (matches.length > 0) return snippetAround(text, matches);
  }
  return undefined;
}

export function beginningOf(content: string): Snippet {
  const text = plainText(content, { limit: after, inlineCode: true });
  return snippetAround(shownText(text), []);
}

/** Returns a snippet for each of these articles, by id: a part with a match, or the beginning. */
export async function articleSnippets(
  db: Db,
  texts: readonly FoundText[],
  query: ResolvedQuery,
): Promise<ReadonlyMap<string, Snippet>> {
  const markingOf = await markingsOf(db, texts, query);
  const snippets = new Map<string, Snippet>();
  const unfound: FoundText[] = [];
  const worked = turnsAfterPieces();
  for (const text of texts) {
    await worked(text.content.length);
    const snippet = foundSnippet(text.content, markingOf(text));
    snippets.set(text.id, snippet ?? beginningOf(text.content));
    const isCut = text.content.length >= firstPiece.length;
    if (snippet === undefined && isCut && unfound.length < secondLooks) unfound.push(text);
  }
  for (const [id, snippet] of await laterSnippets(db, unfound, query)) snippets.set(id, snippet);
  return snippets;
}

/** Returns snippets from later parts of texts without a match at the beginning. */
async function laterSnippets(
  db: Db,
  unfound: readonly FoundText[],
  query: ResolvedQuery,
): Promise<ReadonlyMap<string, Snippet>> {
  if (unfound.length === 0) return new Map();
  const configurations = new Map(unfound.map(({ id, configuration }) => [id, configuration]));
  const pieces = await listedPieces(db, [...configurations.keys()], secondPiece);
  const texts = pieces.map(({ id, piece }) => ({
    id,
    configuration: configurations.get(id) ?? 'simple',
    content: piece,
  }));
  const markingOf = await markingsOf(db, texts, query);
  const snippets = new Map<string, Snippet>();
  for (const text of texts) {
    await nextTurn();
    const snippet = foundSnippet(text.content, markingOf(text));
    if (snippet !== undefined) snippets.set(text.id, snippet);
  }
  return snippets;
}
