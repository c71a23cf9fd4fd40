// Where in their texts articles were found.
import type { Db } from '#database';
import { plainText } from '#lib/plain-text';
import { withoutMarks } from '#lib/slug';
import { listForms, listFoundTexts } from '../queries/index.ts';
import type { FoundText } from '../queries/index.ts';
import { lexemesOf } from '../rules/readings.ts';
import { beginningsOf, matchesIn, placesToLook, snippetOf, wordsLike } from '../rules/snippets.ts';
import type { Looked, Snippet } from '../rules/snippets.ts';
import type { Understood } from './understanding.ts';

/** Characters of a text that are looked through at first; mostly the whole of it. */
const firstLook = 12_000;
/** And of those few in which that found nothing. */
const secondLook = 200_000;
const secondLooks = 5;

/** Around a place, in UTF-16 code units. */
const before = 400;
const after = 900;

/** Which words of these texts match: the forms that PostgreSQL knows them by are asked for once for all. */
export async function lookedFor(
  db: Db,
  texts: readonly Pick<FoundText, 'configuration' | 'content'>[],
  { readings, query }: Understood,
): Promise<(text: Pick<FoundText, 'configuration'>) => Looked> {
  const lexemes = new Set([...lexemesOf(readings), ...query.words]);
  const beginnings = beginningsOf(lexemes);
  const asked = texts.flatMap(({ configuration, content }) =>
    wordsLike(content, beginnings).map((word) => ({ configuration, word })),
  );
  const once = new Map(asked.map((one) => [`${one.configuration} ${one.word}`, one]));
  const forms = await listForms(db, [...once.values()]);
  const pairs = query.groups.flatMap((group) => [...group.pairs, ...group.starts]);
  return ({ configuration }) => ({
    pairs,
    beginnings,
    isMatch: (word) => {
      const lexemesOfWord = forms.get(`${configuration} ${word}`) ?? [];
      return lexemesOfWord.some((lexeme) => lexemes.has(lexeme)) || isWithMarks(word, lexemes);
    },
  });
}

/** café is found by cafe. */
function isWithMarks(word: string, lexemes: ReadonlySet<string>): boolean {
  const plain = withoutMarks(word);
  return plain !== word && lexemes.has(plain);
}

/** The beginning of a line, where there is one near: a piece of Markdown is read best from there. */
function startOf(content: string, place: number): number {
  const near = Math.max(0, place - before);
  const line = content.indexOf('\n', near - 1);
  return near === 0 || line < 0 || line >= place ? near : line + 1;
}

/** From the piece of the text where the query really shows: a match may lie in an address. */
export function foundSnippet(content: string, looked: Looked): Snippet | undefined {
  for (const place of placesToLook(content, looked)) {
    const start = startOf(content, place);
    const limit = place - start + after;
    const text = plainText(content.slice(start, place + after), { limit, inlineCode: true });
    if (matchesIn(text, looked).length > 0) return snippetOf(text, looked);
  }
  return undefined;
}

export function beginningOf(content: string): Snippet {
  const text = plainText(content, { limit: after, inlineCode: true });
  return snippetOf(text, { isMatch: () => false, pairs: [] });
}

/** A snippet for each of these articles that is listed, by its id: where it was found, or how it begins. */
export async function articleSnippets(
  db: Db,
  ids: readonly string[],
  understood: Understood,
): Promise<ReadonlyMap<string, Snippet>> {
  if (ids.length === 0) return new Map();
  const texts = await listFoundTexts(db, ids, { from: 1, length: firstLook });
  const lookedIn = await lookedFor(db, texts, understood);
  const snippets = new Map<string, Snippet>();
  const unfound: string[] = [];
  for (const text of texts) {
    const snippet = foundSnippet(text.content, lookedIn(text));
    snippets.set(text.id, snippet ?? beginningOf(text.content));
    const isCut = text.content.length >= firstLook;
    if (snippet === undefined && isCut && unfound.length < secondLooks) unfound.push(text.id);
  }
  for (const [id, snippet] of await laterSnippets(db, unfound, understood))
    snippets.set(id, snippet);
  return snippets;
}

/** From the rest of texts in whose beginning nothing was found. */
async function laterSnippets(
  db: Db,
  ids: readonly string[],
  understood: Understood,
): Promise<ReadonlyMap<string, Snippet>> {
  if (ids.length === 0) return new Map();
  const texts = await listFoundTexts(db, ids, { from: firstLook + 1, length: secondLook });
  const lookedIn = await lookedFor(db, texts, understood);
  const pairs = texts.flatMap((text): [string, Snippet][] => {
    const snippet = foundSnippet(text.content, lookedIn(text));
    return snippet === undefined ? [] : [[text.id, snippet]];
  });
  return new Map(pairs);
}
