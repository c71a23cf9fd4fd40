// A cache of the lexemes of words in each text-search configuration, because texts repeat words.
import type { Db } from '#database';
import { listForms } from '../queries/index.ts';

interface Word {
  readonly configuration: string;
  readonly word: string;
}

type Forms = Map<string, readonly string[]>;

/**
 * When the cache is full it is cleared: that costs one statement, while an order of use would cost time for
 * every word.
 */
const mostRemembered = 20_000;
/**
 * Longer words are rare, and would take the space of thousands: with this limit the cache needs some
 * megabytes.
 */
const longestRemembered = 64;
const remembered = new WeakMap<Db, Forms>();

const keyOf = ({ configuration, word }: Word) => `${configuration} ${word}`;

/**
 * Returns the lexemes of words, by configuration and word with a space between; one round trip if some are
 * new.
 */
export async function formsOf(db: Db, words: readonly Word[]): Promise<Forms> {
  const known: Forms = remembered.get(db) ?? new Map();
  const unknown = words.filter((word) => !known.has(keyOf(word)));
  const asked = await listForms(db, unknown);
  const found: Forms = new Map(
    words.map((word) => [keyOf(word), known.get(keyOf(word)) ?? asked.get(keyOf(word)) ?? []]),
  );
  const kept: Forms = known.size + asked.size > mostRemembered ? new Map() : known;
  // The keys come from the database: a substring of a text would keep the whole text in memory.
  for (const [key, lexemes] of asked) if (key.length <= longestRemembered) kept.set(key, lexemes);
  remembered.set(db, kept);
  return found;
}
