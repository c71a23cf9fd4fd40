// Marks of an article in the search index: what filters ask for, and when it was published.

export interface Marked {
  readonly author_id: string;
  readonly author_kind: string;
  readonly language: string;
  readonly disclosure: string;
  readonly signed: boolean;
  readonly published_at: string;
}

/** Filters that marks answer; `since` and `until` are compared with the time itself. */
export interface MarkFilters {
  readonly authorId?: string | undefined;
  readonly topic?: string | undefined;
  readonly language?: string | undefined;
  readonly disclosure?: string | undefined;
  readonly kind?: string | undefined;
  readonly signed?: boolean | undefined;
}

/** Spans of time by which an article is found, the finest first. */
const spans = ['day', 'week', 'month', 'quarter', 'year'] as const;
type Span = (typeof spans)[number];

/** How many marks of one span an index scan takes before the next larger span is cheaper. */
const mostSpans = 10;

/** The first day of the span that a time lies in. */
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

/** Every mark of an article; topics are slugs. */
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

/** The marks that an article must have to pass these filters. */
export function marksWanted(filters: MarkFilters): readonly string[] {
  const { authorId: author, topic, language, disclosure, kind, signed } = filters;
  return Object.entries({ author, topic, language, disclosure, kind, signed })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`);
}

/**
 * Marks of the spans that cover the time between two, of the finest span of which a few are enough;
 * they may cover more. Undefined when even years are too many.
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
