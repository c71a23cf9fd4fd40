// What words of texts become in each text-search configuration, remembered: texts say the same words again and again.
import type { Db } from '#database';
import { listForms } from '../queries/index.ts';

interface Word {
  readonly configuration: string;
  readonly word: string;
}

type Forms = Map<string, readonly string[]>;

/** When it is full, all is forgotten: that costs one statement, an order of use would cost every word. */
const mostRemembered = 20_000;
/** Longer ones come once, and would take the room of thousands: with this bound all of it is some megabytes. */
const longestRemembered = 64;
const remembered = new WeakMap<Db, Forms>();

const keyOf = ({ configuration, word }: Word) => `${configuration} ${word}`;

/** The lexemes of these words, by configuration and word with a space between; one round trip where some are new. */
export async function formsOf(db: Db, words: readonly Word[]): Promise<Forms> {
  const known: Forms = remembered.get(db) ?? new Map();
  const unknown = words.filter((word) => !known.has(keyOf(word)));
  const asked = await listForms(db, unknown);
  const found: Forms = new Map(
    words.map((word) => [keyOf(word), known.get(keyOf(word)) ?? asked.get(keyOf(word)) ?? []]),
  );
  const kept: Forms = known.size + asked.size > mostRemembered ? new Map() : known;
  // As the database wrote them: a word cut out of a text would keep the whole text in memory.
  for (const [key, lexemes] of asked) if (key.length <= longestRemembered) kept.set(key, lexemes);
  remembered.set(db, kept);
  return found;
}
