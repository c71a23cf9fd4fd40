// Words: names that docs/glossary.md replaces, verbs with which statements begin, and plain English.
import { posix } from 'node:path';
import type { Source } from './sources.ts';

interface Replaced {
  /** The replaced word, or words in a row. */
  readonly word: string;
  /** The word to use. */
  readonly by: string;
}

/** Words of a name in camel case or kebab case. */
function wordsOf(name: string): string {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ');
  return ` ${spaced.trim().toLowerCase()} `;
}

/** Rows of the first table below a heading, without its two head lines. */
function tableBelow(markdown: string, heading: string): string[][] {
  const lines = markdown.slice(markdown.indexOf(`\n${heading}\n`)).split('\n');
  const from = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  return lines
    .slice(from + 2, length === -1 ? undefined : from + length)
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/** The column "Not" of the glossary. */
export function replacedWords(glossary: string): readonly Replaced[] {
  return tableBelow(glossary, '## Words').flatMap(([, by = '', , not = '']) =>
    not === '' ? [] : not.split(', ').map((word) => ({ word, by })),
  );
}

/** The names that the glossary permits because their word has a second meaning; `*` stands for any letters. */
function permittedNames(glossary: string): readonly RegExp[] {
  return tableBelow(glossary, '## Second meanings').flatMap(([, , , names = '']) =>
    names
      .split(', ')
      .map((name) => new RegExp(`^${name.replaceAll('`', '').replaceAll('*', '\\w*')}$`)),
  );
}

function namesIn({ file, text }: Source): string[] {
  const exported = text.matchAll(
    /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  );
  const own = posix.basename(file).split('.')[0] ?? '';
  return [own, ...Array.from(exported, ([, name = '']) => name)];
}

/** Names of files and exports that contain a replaced word, or its plural. */
export function replacedNames(sources: readonly Source[], glossary: string): string[] {
  const replaced = replacedWords(glossary);
  const permitted = permittedNames(glossary);
  return sources.flatMap((source) =>
    namesIn(source).flatMap((name) => {
      if (permitted.some((pattern) => pattern.test(name))) return [];
      const words = wordsOf(name);
      const found = replaced.find(
        ({ word }) => words.includes(` ${word} `) || words.includes(` ${word}s `),
      );
      return found === undefined
        ? []
        : [`${source.file}: ${name} says "${found.word}"; the glossary says "${found.by}"`];
    }),
  );
}

const participle =
  /^(?:[a-z]+(?:ed|ing)|told|held|kept|shown|given|taken|made|found|sent|left|drawn|written|seen|known|gone|done|bound|built|lost|met|said|sold|spent|won|worn|chosen|begun|broken|upheld|swept|withdrawn|thrown|hidden|forbidden)$/;
/** They look like participles. */
const verbsAndNouns = new Set([
  'bring',
  'embed',
  'feed',
  'heading',
  'need',
  'oembed',
  'ping',
  'seed',
  'thing',
]);

/** Functions that are named by a participle alone, which says neither what they do nor return. */
export function participleNames(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) =>
    Array.from(
      text.matchAll(
        /^(?:export )?(?:async )?(?:function\*? (\w+)|const (\w+)(?:: [^=\n]+)? = (?:async )?\([^\n]*=>)/gm,
      ),
      ([, declared, assigned = '']) => declared ?? assigned,
    )
      .filter((name) => participle.test(name) && !verbsAndNouns.has(name))
      .map((name) => `${file}: ${name} is a participle; name what the function does or returns`),
  );
}

/** Words of an older English, or of another language in English words, with what is written in their place. */
const unusual: readonly (readonly [RegExp, string])[] = [
  [/\bwho(?:so)?ever\b/i, 'anyone who'],
  [/\banew\b/i, 'again'],
  [/\b(?:tells?|told) of\b/i, 'reports'],
  [/\b(?:that|which|what) (?:is|are) none\b/i, 'malformed, unknown or invalid'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|less|other|one\b|such\b)/i, 'is not a'],
  [/\boneself\b|\bone[’']s (?:own|agents?|articles|works?)\b/i, 'your, its or the caller’s'],
  [/\bthe own\b/i, 'its own or their own'],
  [/\b(?:for|than|so that) who\b/i, 'a person, caller or client that'],
  [/\bbut for\b/i, 'except for'],
  [/[,;] also (?:if|when|where|while)\b/i, 'even if, even when or including'],
  [/\b(?:becomes|became|become) of\b/i, 'happens to'],
  [/\bin vain\b|\bvain\b|\bheeds?\b/i, 'without effect, or use'],
];

/** Lines of texts and code that are not written in plain English. */
export function unusualWords(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) => {
      const found = unusual.find(([pattern]) => pattern.test(line));
      return found === undefined ? [] : [`${file}:${index + 1}: write "${found[1]}"`];
    }),
  );
}

const inQueries = /\bserver\/src\/areas\/[^/]+\/queries(?:\.ts|\/[a-z-]+\.ts)$/;
const statement = /^export (?:async )?function (\w+)(?:<[^(]*>)?\(\s*\w+: (?:Db|Database|Tx)\b/gm;
const statementVerb = /^(?:find|list|lock|count|exists|insert|set|delete)(?![a-z])/;

/** Statements whose name does not begin with a verb of statements. */
export function strayVerbs(sources: readonly Source[]): string[] {
  return sources
    .filter(({ file }) => inQueries.test(file) && !file.endsWith('.test.ts'))
    .flatMap(({ file, text }) =>
      Array.from(text.matchAll(statement), ([, name = '']) => name)
        .filter((name) => !statementVerb.test(name))
        .map((name) => `${file}: ${name} begins with no verb of statements`),
    );
}
