// GET /v1/feed: the latest articles, the trending ones, or those of the authors whom the caller follows.
import { limits, operations } from '@colophon/contract';
import { articleFilters, listedSummaries } from '#articles';
import type { ArticleFilters } from '#articles';
import type { Db } from '#database';
import { implement, limitOf, pageOf } from '#http';
import type { Caller } from '#http';
import { dateCursor, readDateCursor } from '#lib/list-cursor';
import { listFollowed, listLatest, listTrending } from '../queries/index.ts';
import { followedCursor, readFollowedCursor, readScoreCursor, scoreCursor } from '../rules/feed.ts';
import { foreignCursor } from '../rules/foreign-cursor.ts';

/** The ids of a page in their order. */
type Page = ReturnType<typeof pageOf<unknown, string>>;

interface FeedQuery {
  readonly filters: ArticleFilters;
  readonly cursor: string | undefined;
  readonly limit: number;
}

function placeIn<P>({ cursor }: FeedQuery, read: (cursor: string) => P | undefined): P | undefined {
  if (cursor === undefined) return undefined;
  const place = read(cursor);
  if (place === undefined) throw foreignCursor('this feed');
  return place;
}

const latestCursors = { read: readDateCursor, write: dateCursor };
const followedCursors = { read: readFollowedCursor, write: followedCursor };

async function byDate(db: Db, follower: Caller | null, feedQuery: FeedQuery): Promise<Page> {
  const { filters, limit } = feedQuery;
  const cursors = follower === null ? latestCursors : followedCursors;
  const after = placeIn(feedQuery, cursors.read);
  const page = { filters, limit, after, among: limits.feed_followed_max };
  const rows =
    follower === null ? await listLatest(db, page) : await listFollowed(db, follower.id, page);
  return pageOf(rows, limit, { view: ({ id }) => id, cursor: cursors.write });
}

async function byScore(db: Db, feedQuery: FeedQuery): Promise<Page> {
  const { filters, limit } = feedQuery;
  const rows = await listTrending(db, {
    filters,
    limit,
    after: placeIn(feedQuery, readScoreCursor),
    among: limits.feed_ranked_max,
  });
  return pageOf(rows, limit, {
    view: ({ id }) => id,
    cursor: (row) => scoreCursor({ ...row, asOf: row.as_of }),
  });
}

export const readFeed = implement(operations.readFeed)(async (
  { db, caller, problem, config },
  { query },
) => {
  const { kind = 'latest', cursor } = query;
  if (kind === 'following' && caller === null) {
    throw problem(
      'unauthenticated',
      'The feed `following` requires a token: send one, or read `latest`.',
    );
  }
  const filters = await articleFilters(db, { ...query, kind: query.author_kind });
  const feedQuery = { filters: filters ?? {}, cursor, limit: limitOf(query) };
  const follower = kind === 'following' ? caller : null;
  const list = () =>
    kind === 'trending' ? byScore(db, feedQuery) : byDate(db, follower, feedQuery);
  const page = filters === undefined ? { items: [], next_cursor: null } : await list();
  return {
    status: 200,
    body: { ...page, items: await listedSummaries({ db, config, caller }, page.items) },
    shared: kind !== 'following',
  };
});
