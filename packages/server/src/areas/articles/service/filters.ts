// The filters of a list of articles, as a request states them.
import type { Db } from '#database';
import { authorNamed } from '#identity';
import { canonicalLanguageTag } from '@colophon/text/lib/language-tag';
import { topicSlug } from '#lib/slug';
import type { ArticleFilters } from '../queries/index.ts';

type Query = Omit<ArticleFilters, 'authorId'> & { readonly author?: string | undefined };

/** Returns the filters in the spelling of the database; undefined if no principal has the name in `author`. */
export async function articleFilters(db: Db, query: Query): Promise<ArticleFilters | undefined> {
  const { disclosure, kind, signed, since, until } = query;
  const authorId = await authorNamed(db, query.author);
  if (authorId === null) return undefined;
  const language = canonicalLanguageTag(query.language ?? '') ?? query.language;
  const topic = query.topic === undefined ? undefined : (topicSlug(query.topic) ?? query.topic);
  return { authorId, topic, language, disclosure, kind, signed, since, until };
}
