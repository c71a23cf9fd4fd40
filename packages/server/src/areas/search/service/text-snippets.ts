// Snippets of articles and comments: the parts of their texts that match a search.
import type { Db } from '#database';
import { yieldAfterPieces } from '#lib/pieces';
import { plainText } from '@colophon/text/lib/plain-text';
import { stripDiacritics } from '#lib/slug';
import { listForms } from '../queries/query-words.ts';
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

/** The text of a hit, or a part of it. */
export interface FoundText {
  readonly id: string;
  readonly content: string;
}

/** The text-search configurations with which texts were indexed, by id. */
export type Configurations = ReadonlyMap<string, string>;

/** A text in its displayed form, and the words in it that may match. */
interface ShownText extends FoundText {
  readonly configuration: string;
  readonly shown: string;
  readonly words: WordPositions;
}

/** Length of a piece before and after a position, in UTF-16 code units. */
const before = 400;
const after = 600;

/** How a snippet shows Markdown. */
const asShown = { inlineCode: true, headings: 'apart' } as const;

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

/**
 * The maximum number of different words whose forms are queried: a hundred texts written by people have
 * fewer.
 */
const mostForms = 4_000;
/** The maximum of their UTF-16 units in all: four times as many as so many words of people have. */
const mostUnits = 128 * 1024;

async function shownInTurns(
  content: string,
  yieldIfDue: (units: number) => Promise<void>,
): Promise<string> {
  let shown = '';
  for (const piece of shownPieces(content)) {
    shown += piece;
    await yieldIfDue(piece.length);
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

/** Returns the texts in their displayed form with the words that may match, and each of these words once. */
async function readTexts(
  texts: readonly FoundText[],
  configurations: Configurations,
  beginnings: RegExp,
) {
  const read: ShownText[] = [];
  const once = new Map<string, Word>();
  let units = 0;
  const yieldIfDue = yieldAfterPieces();
  for (const text of texts) {
    const shown = await shownInTurns(text.content, yieldIfDue);
    const words = wordsLike(shown, beginnings);
    const configuration = configurations.get(text.id) ?? 'simple';
    read.push({ ...text, configuration, shown, words });
    for (const word of words.keys()) {
      const one = { configuration, word };
      if (once.has(keyOf(one)) || once.size >= mostForms || units >= mostUnits) continue;
      once.set(keyOf(one), one);
      units += word.length;
    }
  }
  return { read, words: [...once.values()] };
}

/** Returns a snippet from the part of the text where a match is displayed: a match may be in an address. */
function foundSnippet({ shown, words }: ShownText, marking: Marking): Snippet | undefined {
  for (const place of positionsToSearch(shown, marking, words)) {
    const start = startOf(shown, place);
    const limit = place - start + after;
    const piece = plainText(shown.slice(start, place + after), { limit, ...asShown });
    // Unescaping Markdown may change the displayed form.
    const text = shownText(piece);
    const matches = matchesIn(text, marking);
    if (matches.length > 0) return snippetAround(text, matches);
  }
  return undefined;
}

/** Returns a snippet for each of these texts with a match, by id. Forms are queried in one statement. */
export async function snippetsOf(
  db: Db,
  query: ResolvedQuery,
  texts: readonly FoundText[],
  configurations: Configurations,
): Promise<ReadonlyMap<string, Snippet>> {
  const lexemes = new Set([...query.lexemes, ...query.parsed.words]);
  const beginnings = beginningsOf(lexemes);
  const { read, words } = await readTexts(texts, configurations, beginnings);
  const isMatch = matcherOf(await formsOf(db, words), lexemes);
  const pairs = pairsWanted(query.parsed);
  const snippets = new Map<string, Snippet>();
  const yieldIfDue = yieldAfterPieces();
  for (const text of read) {
    const { id, configuration, content } = text;
    await yieldIfDue(content.length);
    const isMatchHere = (word: string) => isMatch({ configuration, word });
    const snippet = foundSnippet(text, { pairs, beginnings, isMatch: isMatchHere });
    if (snippet !== undefined) snippets.set(id, snippet);
  }
  return snippets;
}

/** Returns the snippet of a text without a match. */
export function beginningOf(content: string): Snippet {
  const text = plainText(content, { limit: after, ...asShown });
  return snippetAround(shownText(text), []);
}
