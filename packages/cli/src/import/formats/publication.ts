// Whether front matter says that a text is published, and when.
import { timeOf } from '../dates.ts';
import { textIn } from './front-matter.ts';
import { scheduledNote } from './simple-article.ts';

type Row = Readonly<Record<string, unknown>>;

function wordOf(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : JSON.stringify(value).replaceAll(/^"\s*|(?<!\s)\s*"$/g, '');
}

/** Returns a boolean, also as the words of YAML 1.1 that Jekyll and Hugo read; undefined for any other value. */
export function flagIn(members: Row, name: string): boolean | undefined {
  const word = wordOf(members[name]);
  if (/^(?:true|yes|on|y|1)$/i.test(word)) return true;
  return /^(?:false|no|off|n|0)$/i.test(word) ? false : undefined;
}

/** Anything but a plain no makes a draft: a text must not become public because of a spelling. */
export function isMarkedDraft(members: Row): boolean {
  const isNamed = wordOf(members['draft']) !== '';
  const isDraft = isNamed && flagIn(members, 'draft') !== false;
  return isDraft || ['published', 'publish'].some((name) => flagIn(members, name) === false);
}

export interface Times {
  readonly publishedAt: string | undefined;
  /** Why the text is not public now, whatever its other members say. */
  readonly note: string | undefined;
}

const dateNames = ['date', 'publishDate', 'pubDate', 'published_at'] as const;

/** Returns the time of publication. `day` is the day in the name of the file. */
export function timesIn(members: Row, day: string): Times {
  const now = Date.now();
  const times = dateNames.flatMap((name) => timeOf(textIn(members, name)) ?? []);
  const publishedAt = timeOf(textIn(members, ...dateNames) || day);
  const later = [...times, publishedAt ?? ''].find((time) => Date.parse(time) > now);
  const expiry = timeOf(textIn(members, 'expiryDate'));
  const isOver = expiry !== undefined && Date.parse(expiry) <= now;
  const over = isOver ? `It expired on ${expiry}, and is imported as a draft.` : undefined;
  return { publishedAt, note: later === undefined ? over : scheduledNote(later) };
}
