// For the pages of a person: their own articles, the drafts of agents, sizes of revisions, and works by week.
import type { Config } from '#config';
import type { Db } from '#database';
import type { Caller } from '#http';
import { limitOf, pageOf } from '#http';
import { keyOf } from '#lib/id';
import { findSizes, listOwn, listPublishedWeeks, listUnpublishedOf } from '../queries/index.ts';
import type { TextSize } from '../queries/index.ts';
import { articleSummaries } from '../views/articles.ts';

interface Reading {
  readonly db: Db;
  readonly config: Config;
  readonly caller: Caller;
}

interface OwnPage {
  readonly status?: string | undefined;
  readonly visibility?: string | undefined;
  /** The id of the last article of the previous page. */
  readonly before: string | undefined;
}

/**
 * Returns a page of the caller’s articles, newest first: drafts, published and hidden ones. Removed articles
 * are in no list.
 */
export async function ownArticles({ db, config, caller }: Reading, input: OwnPage) {
  const limit = limitOf({});
  const { id, bucket } = caller;
  const { status, visibility, before } = input;
  const filters = { bucket, viewerId: id, authorId: id, status, visibility };
  const rows = await listOwn(db, filters, { before, limit });
  const summaries = await articleSummaries(rows, config, caller);
  return pageOf(summaries, limit, { view: (one) => one, cursor: (one) => one.id });
}

/**
 * Returns a page of what the caller's agents have written and readers do not see, newest first, with the newest
 * texts.
 */
export async function unpublishedOfAgents(
  { db, config, caller }: Reading,
  before: string | undefined,
) {
  const limit = limitOf({});
  const rows = await listUnpublishedOf(db, caller, { before, limit });
  const summaries = await articleSummaries(rows, config, caller);
  return pageOf(summaries, limit, { view: (one) => one, cursor: (one) => one.id });
}

/** Returns the sizes of the texts of these revisions of an article of the caller or of the caller’s agent. */
export function revisionSizes(
  db: Db,
  caller: Caller,
  articleId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TextSize>> {
  return findSizes(db, keyOf(articleId), { viewerId: caller.id, ids });
}

/** Counts the newest listed articles of a participant by week, since a time. */
export function publishedWeeks(db: Db, id: string, since: Date) {
  return listPublishedWeeks(db, keyOf(id), since);
}
