// What pages read in the free-form metadata of an article: topics and a description.
import { namedTopicsOf } from '#lib/slug';
import { readStored, storedText } from '#lib/stored-json';
import { visibleText } from '@colophon/text/lib/visible-text';
import { wholeCharacters } from '#lib/whole-characters';
import type { Article } from './page-services.ts';

type Described = Pick<Article, 'metadata'>;

/** The longest description, in code points. */
export const descriptionMax = 300;

/** Returns the metadata of an article that an operation answered in process. */
export function metadataOf({ metadata }: Described): Readonly<Record<string, unknown>> {
  const text = storedText(metadata);
  return text === undefined ? metadata : (readStored(text) as Record<string, unknown>);
}

/** Returns the topics as their author spells them. */
export function topicNames(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  return namedTopicsOf(metadata).map(({ name }) => name);
}

/** Returns the description that the author wrote; '' if there is none. */
export function descriptionIn({ description }: Readonly<Record<string, unknown>>): string {
  return typeof description === 'string' ? description : '';
}

/**
 * Returns the author’s description as one line of visible text; '' if there is none. Most metadata have none
 * and are not parsed.
 */
export function descriptionOf(article: Described): string {
  if (storedText(article.metadata)?.includes('"description":') === false) return '';
  const text = visibleText(descriptionIn(metadataOf(article)).replaceAll(/\s+/gu, ' '));
  return wholeCharacters(text, [...text].slice(0, descriptionMax).join('').length);
}
