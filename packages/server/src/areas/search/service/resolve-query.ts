// Resolves a query: reads its words with the dictionaries, and finds alternatives for them.
import type { Db } from '#database';
import { stripDiacritics } from '#lib/slug';
import { listReadings } from '../queries/lexize-query.ts';
import { listKnownWords, listNearbyWords, listWordsBegunBy } from '../queries/search-words.ts';
import { configurationOf } from '../rules/languages.ts';
import { parseQuery, withAlternatives, withoutLast } from '../rules/parse-query.ts';
import type { ParsedQuery } from '../rules/parse-query.ts';
import type { ResolvedQuery, SearchRequest } from '../rules/search-request.ts';
import {
  bucketOfWord,
  completionsOf,
  correctionsOf,
  mayBeginWords,
  nearbyOf,
} from '../rules/spelling.ts';
import { resolvedOf } from '../rules/tsquery.ts';

/** Returns the dictionaries to read a query with; undefined: each one in use. Names have no language. */
function configurationsOf({ type, filters: { language } }: SearchRequest) {
  if (type === 'principal') return ['simple'];
  return language === undefined ? undefined : ['simple', configurationOf(language)];
}

/** Resolves a request, or another form of its query: one with alternatives. */
export async function resolveQuery(
  db: Db,
  request: SearchRequest,
  parsed: ParsedQuery = parseQuery(request.text),
): Promise<ResolvedQuery> {
  // Only titles are also found without accents.
  const plain = request.type === 'article' ? parseQuery(stripDiacritics(request.text)) : parsed;
  const isPlain = plain.words.join(' ') === parsed.words.join(' ');
  const [readings, plainReadings] = await Promise.all([
    listReadings(db, parsed, configurationsOf(request)),
    isPlain ? [] : listReadings(db, plain, ['simple']),
  ]);
  return resolvedOf(request, { parsed, readings }, { parsed: plain, readings: plainReadings });
}

/** More words than this are not checked for typos: they are unlikely to be a title. */
const mostWords = 12;

async function correctionsFor(db: Db, words: readonly string[]) {
  const found = await Promise.all(
    words.map(async (word) => {
      const nearby = nearbyOf(word);
      const near = nearby.length === 0 ? [] : await listNearbyWords(db, nearby);
      return [word, correctionsOf(word, near)] as const;
    }),
  );
  return new Map(found.filter(([, others]) => others.length > 0));
}

/** Returns alternatives for each of these words: words one edit away, and completions of the last one. */
async function othersFor(
  db: Db,
  words: readonly string[],
  begun: string | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [others, longer] = await Promise.all([
    correctionsFor(db, words),
    begun === undefined ? [] : listWordsBegunBy(db, begun),
  ]);
  if (begun === undefined) return others;
  const all = [...(others.get(begun) ?? []), ...completionsOf(begun, longer)];
  return all.length === 0 ? others : others.set(begun, all);
}

/**
 * Resolves a query with alternatives for its words: for words in no title, which may have a typo, or for all
 * words if `every` is true. The last word may be incomplete; with `every`, it is removed if it is too short to
 * complete. Returns undefined if there are no alternatives.
 */
export async function widenQuery(
  db: Db,
  { request, parsed }: ResolvedQuery,
  every: boolean,
): Promise<ResolvedQuery | undefined> {
  const words = parsed.words.slice(0, mostWords);
  const { last = '' } = parsed;
  const begun = mayBeginWords(last) ? last : undefined;
  const keys = words.map((word) => ({ bucket: bucketOfWord(word), word }));
  const known = every ? [] : await listKnownWords(db, keys);
  const doubted = words.filter((word) => !known.includes(word));
  const others = await othersFor(db, doubted, begun);
  const shorter = every && begun === undefined ? withoutLast(parsed) : undefined;
  const wider = others.size > 0 ? withAlternatives(parsed, others) : shorter;
  return wider && resolveQuery(db, request, wider);
}
