// Whether front matter says that a text is published, when, and for whom.
import { timeOf } from '../dates.ts';
import type { Visibility } from '../source.ts';
import { textIn } from './front-matter.ts';
import { scheduledNote } from './simple-article.ts';

type Row = Readonly<Record<string, unknown>>;

function wordOf(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : JSON.stringify(value).replaceAll(/^"\s*|(?<!\s)\s*"$/g, '');
}

function flagOf(value: unknown): boolean | undefined {
  const word = wordOf(value);
  if (/^(?:true|yes|on|y|1)$/i.test(word)) return true;
  return /^(?:false|no|off|n|0)$/i.test(word) ? false : undefined;
}

/** Returns a boolean, also as the words of YAML 1.1 that Jekyll and Hugo read; undefined for any other value. */
export function flagIn(members: Row, name: string): boolean | undefined {
  return flagOf(members[name]);
}

/** Returns the values of a member in every spelling of its name: Hugo reads `Draft` and `publishdate` as well. */
function valuesIn(members: Row, ...names: readonly string[]): readonly unknown[] {
  const asked = new Set(names.map((name) => name.toLowerCase()));
  return Object.entries(members).flatMap(([name, value]) =>
    asked.has(name.toLowerCase()) && wordOf(value) !== '' ? [value] : [],
  );
}

/** Values of `status` with which no program shows a text. */
const unpublished =
  /^(?:draft|unpublished|pending|future|scheduled|hidden|removed|erased|trash|deleted)$/i;

/** Anything but a plain no makes a draft: a text must not become public because of a spelling. */
export function isMarkedDraft(members: Row): boolean {
  return (
    valuesIn(members, 'draft').some((value) => flagOf(value) !== false) ||
    valuesIn(members, 'published', 'publish').some((value) => flagOf(value) === false) ||
    valuesIn(members, 'status').some((value) => unpublished.test(wordOf(value)))
  );
}

/** Whether a member such as `private` is there and is anything but a plain no. */
const isOn = (members: Row, name: string): boolean =>
  valuesIn(members, name).some((value) => flagOf(value) !== false);

/** Returns who may read a text. A value without a known meaning names some readers, and not everybody. */
export function visibilityIn(members: Row): Visibility {
  const words = valuesIn(members, 'visibility').map((value) => wordOf(value).toLowerCase());
  const isPrivate = valuesIn(members, 'status').some((value) => /^private$/i.test(wordOf(value)));
  const isLimited = words.some((word) => word !== 'public' && word !== 'unlisted');
  if (isPrivate || isLimited || isOn(members, 'private')) return 'private';
  return words.includes('unlisted') || isOn(members, 'unlisted') ? 'unlisted' : 'public';
}

export interface Times {
  readonly publishedAt: string | undefined;
  /** Why the text is not public now, whatever its other members say. */
  readonly note: string | undefined;
}

const dateNames = ['date', 'publishDate', 'pubDate', 'published_at'] as const;
const endNames = ['expiryDate', 'unpublishDate'] as const;

/** Returns the times of members; `published` may be a time or a boolean. */
function allTimes(members: Row, ...names: readonly string[]): readonly string[] {
  return valuesIn(members, ...names).flatMap((value) => timeOf(textIn({ value }, 'value')) ?? []);
}

/** Returns the time of publication. `day` is the day in the name of the file. */
export function timesIn(members: Row, day: string): Times {
  const now = Date.now();
  const written = textIn(members, ...dateNames);
  const publishedAt = timeOf(written || day);
  const times = [...allTimes(members, ...dateNames, 'published'), publishedAt ?? ''];
  const later = times.find((time) => Date.parse(time) > now);
  const expiry = allTimes(members, ...endNames).find((time) => Date.parse(time) <= now);
  if (later !== undefined) return { publishedAt, note: scheduledNote(later) };
  if (expiry === undefined) return { publishedAt, note: undefined };
  return { publishedAt, note: `It expired on ${expiry}, and is imported as a draft.` };
}

/** Returns the text of a date that cannot be read; empty if there is none, or if it can be read. */
export function unreadDate(members: Row): string {
  const written = textIn(members, ...dateNames);
  return timeOf(written) === undefined ? written : '';
}
