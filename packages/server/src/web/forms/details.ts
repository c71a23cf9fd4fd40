// Reads the details of an article from their form, and saves what differs.
import type { BodyOf, Operations } from '@colophon/contract';
import { limits } from '@colophon/contract';
import { invalid, isProblem } from '#http';
import type { Fault } from '#http';
import { topicSlug } from '#lib/slug';
import { isLonger, tooLong } from '#lib/text-length';
import type { PageContext } from '../context.ts';
import { descriptionIn, descriptionMax, metadataOf, topicNames } from '../metadata.ts';
import type { Article } from '../page-services.ts';
import { findWritten } from '../pages/own-article.ts';
import { beforeOf, isTyped } from './before.ts';
import { callerOf } from './form.ts';
import type { SentForm } from './form.ts';

type Patch = BodyOf<Operations['updateArticle']>;
type Metadata = Readonly<Record<string, unknown>>;

interface Details {
  readonly patch: Patch;
  /** undefined: not in the form, or left as the page showed it. */
  readonly topics: readonly string[] | undefined;
  /** undefined: as `topics`. */
  readonly description: string | undefined;
  /** A detail that the person left as the page showed it has been changed since. */
  readonly hasUnseen: boolean;
}

/** The names of the fields of topics. */
export const topicFields: readonly string[] = Array.from(
  { length: limits.topics_max },
  (_, at) => `topic-${at + 1}`,
);

function fieldIfSent({ fields }: SentForm, name: string): string | undefined {
  return fields.get(name)?.trim();
}

function readTopics(sent: SentForm, faults: Fault[]): readonly string[] | undefined {
  if (!topicFields.some((name) => sent.fields.has(name))) return undefined;
  const bySlug = new Map<string, string>();
  for (const name of topicFields) {
    const topic = fieldIfSent(sent, name) ?? '';
    if (topic === '') continue;
    const slug = topicSlug(topic);
    if (slug === undefined) {
      const detail = `must have ${limits.topic_min} to ${limits.topic_max} letters or digits`;
      faults.push({ pointer: `/${name}`, code: 'topic', detail });
    } else if (!bySlug.has(slug)) bySlug.set(slug, topic);
  }
  return [...bySlug.values()];
}

function readDescription(sent: SentForm, faults: Fault[]): string | undefined {
  const text = fieldIfSent(sent, 'description');
  if (text !== undefined && isLonger(text, descriptionMax)) {
    const detail = tooLong(text, descriptionMax);
    faults.push({ pointer: '/description', code: 'maxLength', detail });
  }
  return text;
}

const patched = [
  'visibility',
  'authorship_disclosure',
  'canonical_url',
  'language',
  'featured_media_id',
] as const;

/** Without a value they are null. */
const nullable: ReadonlySet<string> = new Set(['canonical_url', 'featured_media_id']);

/** The details that the page of an article shows, by the names of their fields. */
export function shownDetails(article: Article): Readonly<Record<string, string>> {
  const metadata = metadataOf(article);
  return {
    ...Object.fromEntries(patched.map((name) => [name, article[name] ?? ''])),
    topics: topicNames(metadata).join('\n'),
    description: descriptionIn(metadata),
  };
}

/** The same of a form: undefined is what it does not have. */
type Values = Readonly<Record<string, string | undefined>>;

function valuesOf(sent: SentForm, faults: Fault[]): Values {
  return {
    ...Object.fromEntries(patched.map((name) => [name, fieldIfSent(sent, name)])),
    language: fieldIfSent(sent, 'other_language') || fieldIfSent(sent, 'language'),
    topics: readTopics(sent, faults)?.join('\n'),
    description: readDescription(sent, faults),
  };
}

/** From the narrowest on. */
const audiences: readonly string[] = ['private', 'unlisted', 'public'];

/**
 * Returns what is to be saved. What the person left as the page showed it is not: it may have been changed since. Only
 * a narrower audience is taken all the same, because nothing may be shown to more readers than the form says.
 */
function typedOf(values: Values, before: string, article: Article): Values {
  const isNarrower = (name: string, value: string) =>
    name === 'visibility' && audiences.indexOf(value) < audiences.indexOf(article.visibility);
  const typed = Object.entries(values).filter(
    ([name, value]) =>
      value !== undefined && (isTyped(before, name, value) || isNarrower(name, value)),
  );
  return Object.fromEntries(typed);
}

/** Only what the form has and the article has not: the operation checks the values. */
function patchOf(typed: Values, article: Article): Patch {
  const differing = patched.flatMap((name) => {
    const value = typed[name];
    if (value === undefined || value === (article[name] ?? '')) return [];
    return [[name, nullable.has(name) && value === '' ? null : value] as const];
  });
  return Object.fromEntries(differing) as Patch;
}

/** Returns the details in the form. @throws validation-failed: for what is kept in the metadata */
function readDetails(sent: SentForm, article: Article): Details {
  const faults: Fault[] = [];
  const values = valuesOf(sent, faults);
  if (faults.length > 0) throw invalid(faults);
  const before = beforeOf(sent);
  const typed = typedOf(values, before, article);
  const hasUnseen = Object.entries(shownDetails(article)).some(
    ([name, now]) => before !== '' && typed[name] === undefined && isTyped(before, name, now),
  );
  return {
    patch: patchOf(typed, article),
    topics: typed['topics']?.split('\n').filter((topic) => topic !== ''),
    description: typed['description'],
    hasUnseen,
  };
}

function withMember(metadata: Metadata, name: string, value: unknown): Metadata {
  const rest = Object.entries(metadata).filter(([member]) => member !== name);
  return Object.fromEntries(value === undefined ? rest : [...rest, [name, value]]);
}

/** Returns the metadata with the details; undefined if they have them already. */
function changedMetadata(article: Article, { topics, description }: Details): Metadata | undefined {
  const metadata = metadataOf(article);
  let changed = metadata;
  if (topics !== undefined && topics.join('\n') !== topicNames(metadata).join('\n'))
    changed = withMember(changed, 'topics', topics.length === 0 ? undefined : topics);
  if (description !== undefined && description !== descriptionIn(metadata))
    changed = withMember(changed, 'description', description === '' ? undefined : description);
  return changed === metadata ? undefined : changed;
}

export interface Saved {
  /** The article as it was when it was saved, with its newest text. */
  readonly article: Article;
  /** The revision with that text and the details. */
  readonly revisionId: string;
  readonly hasUnseen: boolean;
}

async function save(web: PageContext, sent: SentForm, article: Article): Promise<Saved> {
  const caller = callerOf(sent);
  const params = { id: article.id };
  const details = readDetails(sent, article);
  if (Object.keys(details.patch).length > 0)
    await web.invoke('updateArticle', { caller, params, body: details.patch });
  const metadata = changedMetadata(article, details);
  const saved = { article, hasUnseen: details.hasUnseen };
  if (metadata === undefined) return { ...saved, revisionId: article.revision_id };
  const { body } = await web.invoke('createRevision', {
    caller,
    params,
    body: { metadata },
    ifMatch: article.revision_id,
    idempotencyKey: `${sent.key}.${article.revision_id}`,
  });
  return { ...saved, revisionId: body.revision_id };
}

/** Attempts to save the details while other revisions arrive. */
const attempts = 5;

/**
 * Saves the details of an article: topics and description as a revision on top of the newest one, which
 * changes no text, the rest at once. Sent twice, it saves once.
 * @throws validation-failed, quota-exceeded and whatever else the operations answer
 */
export async function saveDetails(web: PageContext, sent: SentForm): Promise<Saved> {
  const { id = '' } = sent.asked.params;
  for (let attempt = 1; ; attempt += 1) {
    const article = await findWritten(web, callerOf(sent), id);
    try {
      return await save(web, sent, article);
    } catch (error) {
      const isOvertaken = isProblem(error) && error.problem === 'precondition-failed';
      if (!isOvertaken || attempt === attempts) throw error;
    }
  }
}
