// The dictionary with which a text is indexed, and the maximum indexed length.

/**
 * PostgreSQL's text-search configurations by the primary subtag of a BCP 47 tag. Estonian exists since
 * version 18; a server without one of them uses `simple` instead.
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
 * Numbers of characters of a text to index, to try in this order: PostgreSQL rejects a document whose words
 * and positions need more than 1 MB, which depends on the number of different words.
 */
export const indexedLengths = [400_000, 100_000, 25_000, 0] as const;

/** Returns whether the error is SQLSTATE 54000, program_limit_exceeded: the words exceed one document. */
export function isTooManyWords(error: unknown): boolean {
  return error instanceof Error && (error as Error & { code?: string }).code === '54000';
}
