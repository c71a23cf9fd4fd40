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
import { callerOf } from './form.ts';
import type { SentForm } from './form.ts';

type Patch = BodyOf<Operations['updateArticle']>;
type Metadata = Readonly<Record<string, unknown>>;

interface Details {
  readonly patch: Patch;
  /** undefined: not in the form. */
  readonly topics: readonly string[] | undefined;
  readonly description: string | undefined;
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

/** Only what the form has and the article has not: the operation checks the values. */
function readPatch(sent: SentForm, article: Article): Patch {
  const featured = fieldIfSent(sent, 'featured_media_id');
  const address = fieldIfSent(sent, 'canonical_url');
  const wanted = {
    visibility: fieldIfSent(sent, 'visibility'),
    authorship_disclosure: fieldIfSent(sent, 'authorship_disclosure'),
    canonical_url: address === '' ? null : address,
    language: fieldIfSent(sent, 'other_language') || fieldIfSent(sent, 'language'),
    featured_media_id: featured === '' ? null : featured,
  };
  const differing = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== article[name as keyof typeof wanted],
  );
  return Object.fromEntries(differing) as Patch;
}

/** Returns the details in the form. @throws validation-failed: for what is kept in the metadata */
function readDetails(sent: SentForm, article: Article): Details {
  const faults: Fault[] = [];
  const topics = readTopics(sent, faults);
  const description = readDescription(sent, faults);
  if (faults.length > 0) throw invalid(faults);
  return { patch: readPatch(sent, article), topics, description };
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
}

async function save(web: PageContext, sent: SentForm, article: Article): Promise<Saved> {
  const caller = callerOf(sent);
  const params = { id: article.id };
  const details = readDetails(sent, article);
  if (Object.keys(details.patch).length > 0)
    await web.invoke('updateArticle', { caller, params, body: details.patch });
  const metadata = changedMetadata(article, details);
  if (metadata === undefined) return { article, revisionId: article.revision_id };
  const { body } = await web.invoke('createRevision', {
    caller,
    params,
    body: { metadata },
    ifMatch: article.revision_id,
    idempotencyKey: `${sent.key}.${article.revision_id}`,
  });
  return { article, revisionId: body.revision_id };
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
