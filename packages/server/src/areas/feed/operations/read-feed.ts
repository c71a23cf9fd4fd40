// GET /v1/feed: the latest articles, the trending ones, or those of the authors whom the caller follows.
import { limits, operations } from '@colophon/contract';
import { articleFilters, listedSummaries } from '#articles';
import type { ArticleFilters } from '#articles';
import type { Db } from '#database';
import { implement, limitOf, pageOf } from '#http';
import type { Caller, Problem } from '#http';
import { dateCursor, readDateCursor } from '#lib/list-cursor';
import { listFollowed, listLatest, listTrending } from '../queries/index.ts';
import { readScoreCursor, scoreCursor } from '../rules/feed.ts';

/** The ids of a page in their order. */
type Page = ReturnType<typeof pageOf<unknown, string>>;

interface Asked {
  readonly filters: ArticleFilters;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** The problem for a cursor of another list. */
  readonly foreign: () => Problem;
}

function placeIn<P>(asked: Asked, read: (cursor: string) => P | undefined): P | undefined {
  if (asked.cursor === undefined) return undefined;
  const place = read(asked.cursor);
  if (place === undefined) throw asked.foreign();
  return place;
}

async function byDate(db: Db, caller: Caller | null, asked: Asked): Promise<Page> {
  const { filters, limit } = asked;
  const after = placeIn(asked, readDateCursor);
  const page = { filters, limit, after, among: limits.feed_followed_max };
  const rows =
    caller === null ? await listLatest(db, page) : await listFollowed(db, caller.id, page);
  return pageOf(rows, limit, { view: ({ id }) => id, cursor: dateCursor });
}

async function byScore(db: Db, asked: Asked): Promise<Page> {
  const { filters, limit } = asked;
  const rows = await listTrending(db, {
    filters,
    limit,
    after: placeIn(asked, readScoreCursor),
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
  const foreign = () =>
    problem(
      'invalid-request',
      'cursor does not belong to this feed: send the next_cursor of the previous page, or leave it out.',
    );
  const asked = { filters: filters ?? {}, cursor, limit: limitOf(query), foreign };
  const follower = kind === 'following' ? caller : null;
  const list = () => (kind === 'trending' ? byScore(db, asked) : byDate(db, follower, asked));
  const page = filters === undefined ? { items: [], next_cursor: null } : await list();
  return {
    status: 200,
    body: { ...page, items: await listedSummaries({ db, config, caller }, page.items) },
    shared: kind !== 'following',
  };
});
