// The revisions of reported articles that readers saw at earlier times. Comments and files have none.
import { findShownBefore, listShownThen } from '#articles';
import type { Db } from '#database';
import { keyOf } from '#lib/id';
import type { Reference } from '../queries/index.ts';
import type { Before } from '../rules/targets.ts';

const none: Before = {
  publishedId: null,
  revisionId: null,
  isChanged: false,
  title: null,
  content: null,
};

/** Returns what readers saw of a target at a time. */
export async function shownBefore(
  db: Db,
  { target_type: type, target_id: id }: Reference,
  time: string,
): Promise<Before> {
  const row = type === 'article' ? await findShownBefore(db, keyOf(id), time) : undefined;
  if (row === undefined) return none;
  const { revision_id: revisionId, published_revision_id: publishedId, title, content } = row;
  return { publishedId, revisionId, isChanged: revisionId !== publishedId, title, content };
}

/** A revision that readers saw, and the one that was published last. */
export interface Revised {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns by time the revision of an article that readers saw then. Times at which it was the revision that is published
 * now are left out.
 */
export async function revisedSince(
  db: Db,
  { target_type: type, target_id: id }: Reference,
  times: readonly string[],
): Promise<ReadonlyMap<string, Revised>> {
  if (type !== 'article' || times.length === 0) return new Map();
  const rows = await listShownThen(db, keyOf(id), times);
  return new Map(
    rows
      .filter((row) => row.revision_id !== row.published_revision_id)
      .map((row) => [
        times[row.at] ?? '',
        { from: row.revision_id, to: row.published_revision_id },
      ]),
  );
}
