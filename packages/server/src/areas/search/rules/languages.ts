// Which dictionary a text is indexed with, and how much of it.

/**
 * PostgreSQL's text-search configurations by the primary subtag of a BCP 47 tag. Estonian came with
 * version 18; where a server lacks one, `simple` takes its place.
 */
export const configurations = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  et: 'estonian',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
} as const;

type Configuration = (typeof configurations)[keyof typeof configurations] | 'simple';

const byLanguage = new Map<string, Configuration>(Object.entries(configurations));

/** The text-search configuration for a language tag: `pt-BR` → `portuguese`, `und` → `simple`. */
export function configurationOf(language: string): Configuration {
  const [primary = ''] = language.toLowerCase().split('-');
  return byLanguage.get(primary) ?? 'simple';
}

/**
 * How many characters of a text are indexed, to be tried in this order: PostgreSQL refuses a document
 * whose words and positions need more than 1 MB, which depends on how many different words there are.
 */
export const indexedLengths = [400_000, 100_000, 25_000, 0] as const;

/** SQLSTATE 54000, program_limit_exceeded: the words do not fit into one document. */
export function isTooManyWords(error: unknown): boolean {
  return error instanceof Error && (error as Error & { code?: string }).code === '54000';
}
