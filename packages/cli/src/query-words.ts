// The words of a search: `-word` excludes a word, and is not an option.
import type { Command } from '@commander-js/extra-typings';

interface Sorted {
  readonly options: readonly string[];
  readonly query: readonly string[];
}

/** One hyphen begins an option only in these words. */
const short: ReadonlySet<string> = new Set(['-h', '-V']);

/** Undefined for an option without its value: the parser says so. */
function sort(
  words: readonly string[],
  valued: ReadonlySet<string | undefined>,
): Sorted | undefined {
  const options: string[] = [];
  const query: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { options, query: [...query, ...words.slice(at + 1)] };
    if (!word.startsWith('--') && !short.has(word)) query.push(word);
    else if (!valued.has(word)) options.push(word);
    else if (at + 1 === words.length) return undefined;
    else options.push(word, words[(at += 1)] ?? '');
  }
  return { options, query };
}

/**
 * Returns the words of a command line with the query behind `--`, in its order, so that the parser takes none of
 * its words for an option.
 */
export function withQueryLast(
  program: Command,
  name: string,
  words: readonly string[],
): readonly string[] {
  const command = program.commands.find((one) => one.name() === name);
  const known = [...program.options, ...(command?.options ?? [])];
  const valued = new Set(known.filter(({ required }) => required).map(({ long }) => long));
  const sorted = sort(words, valued);
  if (sorted === undefined) return words;
  const { options, query } = sorted;
  // The first of them is the name of the command.
  const [first = name, ...rest] = query;
  return [first, ...options, '--', ...rest];
}
