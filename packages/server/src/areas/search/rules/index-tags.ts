// What the index holds of a text besides its words: the dictionary of its language, and marks of an article: the
// values of filters, and the publication time.

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

export interface Marked {
  readonly author_id: string;
  readonly author_kind: string;
  readonly language: string;
  readonly disclosure: string;
  readonly signed: boolean;
  readonly published_at: string;
}

/** Filters that marks implement; `since` and `until` are compared with the time itself. */
export interface MarkFilters {
  readonly authorId?: string | undefined;
  readonly topic?: string | undefined;
  readonly language?: string | undefined;
  readonly disclosure?: string | undefined;
  readonly kind?: string | undefined;
  readonly signed?: boolean | undefined;
}

/** Time spans of an article's marks, the finest first. */
const spans = ['day', 'week', 'month', 'quarter', 'year'] as const;
type Span = (typeof spans)[number];

/** The number of marks of one span in an index scan above which the next larger span is cheaper. */
const mostSpans = 10;

/** Returns the first day of the span that contains a time. */
function startOf(span: Span, time: Date): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  const starts: Record<Span, () => number> = {
    day: () => Date.UTC(year, month, day),
    week: () => Date.UTC(year, month, day - ((time.getUTCDay() + 6) % 7)),
    month: () => Date.UTC(year, month, 1),
    quarter: () => Date.UTC(year, month - (month % 3), 1),
    year: () => Date.UTC(year, 0, 1),
  };
  return new Date(starts[span]());
}

function spanMark(span: Span, time: Date): string {
  return `${span}:${startOf(span, time).toISOString().slice(0, 10)}`;
}

/** Returns all marks of an article; topics are slugs. */
export function marksOf(article: Marked, topics: readonly string[]): readonly string[] {
  const at = new Date(article.published_at);
  return [
    `author:${article.author_id}`,
    `kind:${article.author_kind}`,
    `language:${article.language}`,
    `disclosure:${article.disclosure}`,
    `signed:${article.signed}`,
    ...topics.map((topic) => `topic:${topic}`),
    ...spans.map((span) => spanMark(span, at)),
  ];
}

/** Returns the marks that an article needs to match these filters. */
export function marksWanted(filters: MarkFilters): readonly string[] {
  const { authorId: author, topic, language, disclosure, kind, signed } = filters;
  return Object.entries({ author, topic, language, disclosure, kind, signed })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`);
}

/**
 * Returns marks of the spans that cover the time between two, of the finest span with at most `mostSpans`
 * marks; they may cover more. Returns undefined if even years are too many.
 */
export function spanMarks(from: Date, to: Date): readonly string[] | undefined {
  for (const span of spans) {
    const marks: string[] = [];
    let at = startOf(span, to);
    while (marks.length <= mostSpans) {
      marks.push(spanMark(span, at));
      if (at <= from) break;
      at = startOf(span, new Date(at.getTime() - 1));
    }
    if (marks.length <= mostSpans) return marks;
  }
  return undefined;
}
