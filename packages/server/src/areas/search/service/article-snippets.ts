// Snippets of articles: the parts of their texts that match a search.
import { listedPieces } from '#articles';
import type { Db } from '#database';
import { nextTurn, turnsAfterPieces } from '#lib/pieces';
import { plainText } from '#lib/plain-text';
import { stripDiacritics } from '#lib/slug';
import { lexemesOf } from '../rules/tsquery.ts';
import {
  beginningsOf,
  matchesIn,
  placesToLook,
  shownText,
  snippetAround,
  wordsLike,
} from '../rules/snippets.ts';
import type { Looked, Snippet, WordPlaces } from '../rules/snippets.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { formsOf } from './word-forms.ts';

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

/** What to mark in these texts. */
export interface LookedIn extends Looked {
  /** By displayed text: finding the words takes longest, and is done once. */
  readonly words: ReadonlyMap<string, WordPlaces>;
}

interface FormAsked {
  readonly configuration: string;
  readonly word: string;
}

/**
 * The maximum number of different words whose forms are queried: a hundred texts written by people have
 * fewer.
 */
const mostForms = 4_000;

/** Returns which words of these texts match; their forms are queried from PostgreSQL in one statement. */
export async function lookedFor(
  db: Db,
  texts: readonly Pick<FoundText, 'configuration' | 'content'>[],
  { readings, query }: ResolvedQuery,
): Promise<(text: Pick<FoundText, 'configuration'>) => LookedIn> {
  const lexemes = new Set([...lexemesOf(readings), ...query.words]);
  const beginnings = beginningsOf(lexemes);
  const words = new Map<string, WordPlaces>();
  const once = new Map<string, FormAsked>();
  const worked = turnsAfterPieces();
  for (const { configuration, content } of texts) {
    const shown = shownText(content);
    const found = wordsLike(shown, beginnings);
    words.set(shown, found);
    for (const word of found.keys())
      if (once.size < mostForms) once.set(`${configuration} ${word}`, { configuration, word });
    await worked(content.length);
  }
  const forms = await formsOf(db, [...once.values()]);
  const pairs = query.groups.flatMap((group) => [...group.pairs, ...group.starts]);
  return ({ configuration }) => ({
    pairs,
    beginnings,
    words,
    isMatch: (word) => {
      const lexemesOfWord = forms.get(`${configuration} ${word}`) ?? [];
      return lexemesOfWord.some((lexeme) => lexemes.has(lexeme)) || isWithMarks(word, lexemes);
    },
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

/** Returns a snippet from the part of the text where a match is displayed: a match may be in an address. */
export function foundSnippet(content: string, looked: LookedIn): Snippet | undefined {
  const shown = shownText(content);
  for (const place of placesToLook(shown, looked, looked.words.get(shown) ?? new Map())) {
    const start = startOf(shown, place);
    const limit = place - start + after;
    const piece = plainText(shown.slice(start, place + after), { limit, inlineCode: true });
    // Unescaping Markdown may change the displayed form.
    const text = shownText(piece);
    const matches = matchesIn(text, looked);
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
  understood: ResolvedQuery,
): Promise<ReadonlyMap<string, Snippet>> {
  const lookedIn = await lookedFor(db, texts, understood);
  const snippets = new Map<string, Snippet>();
  const unfound: FoundText[] = [];
  const worked = turnsAfterPieces();
  for (const text of texts) {
    await worked(text.content.length);
    const snippet = foundSnippet(text.content, lookedIn(text));
    snippets.set(text.id, snippet ?? beginningOf(text.content));
    const isCut = text.content.length >= firstPiece.length;
    if (snippet === undefined && isCut && unfound.length < secondLooks) unfound.push(text);
  }
  for (const [id, snippet] of await laterSnippets(db, unfound, understood))
    snippets.set(id, snippet);
  return snippets;
}

/** Returns snippets from later parts of texts without a match at the beginning. */
async function laterSnippets(
  db: Db,
  unfound: readonly FoundText[],
  understood: ResolvedQuery,
): Promise<ReadonlyMap<string, Snippet>> {
  if (unfound.length === 0) return new Map();
  const configurations = new Map(unfound.map(({ id, configuration }) => [id, configuration]));
  const pieces = await listedPieces(db, [...configurations.keys()], secondPiece);
  const texts = pieces.map(({ id, piece }) => ({
    id,
    configuration: configurations.get(id) ?? 'simple',
    content: piece,
  }));
  const lookedIn = await lookedFor(db, texts, understood);
  const snippets = new Map<string, Snippet>();
  for (const text of texts) {
    await nextTurn();
    const snippet = foundSnippet(text.content, lookedIn(text));
    if (snippet !== undefined) snippets.set(text.id, snippet);
  }
  return snippets;
}
