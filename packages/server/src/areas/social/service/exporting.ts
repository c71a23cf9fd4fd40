// The comments, edges and follows of a participant for an export, a page at a time.
import { limits } from '@colophon/contract';
import type { Db } from '#database';
import type { Caller } from '#http';
import type { RowKey } from '#lib/id';
import {
  findAuthors,
  findShownEnds,
  listByIds,
  listEdgesBy,
  listFollowsOf,
  listOwnIds,
} from '../queries/index.ts';
import { commentView } from '../views/comments.ts';
import { edgeView } from '../views/edges.ts';

const commentsAtOnce = limits.page_limit_max;
const atOnce = 500;

/** Returns comments as their author reads them, newest first. */
export async function exportedComments(db: Db, author: Caller, before: string | undefined) {
  const found = await listOwnIds(db, author, { before, limit: commentsAtOnce });
  const ids = found.slice(0, commentsAtOnce);
  if (ids.length === 0) return { records: [], next: undefined };
  const [rows, authors] = await Promise.all([
    listByIds(db, ids),
    findAuthors(db, [{ author_id: author.id }]),
  ]);
  const records = rows.map((row) => commentView(row, authors.get(row.author_id), author, true));
  return { records, next: found.length > commentsAtOnce ? ids.at(-1) : undefined };
}

/** Returns the edges from the articles of an author as GET /v1/edges/{id} answers them, the newest article first. */
export async function exportedEdges(db: Db, author: RowKey, before: string | undefined) {
  const [article, edge] = before?.split(' ') ?? [];
  const place = article === undefined || edge === undefined ? undefined : { article, edge };
  const rows = await listEdgesBy(db, author, place, atOnce);
  const next =
    rows.length < atOnce ? undefined : rows.map((row) => `${row.src_article_id} ${row.id}`).at(-1);
  const ids = rows.flatMap((row) => [row.src_article_id, row.dst_article_id]);
  const ends = await findShownEnds(db, [...new Set(ids.filter((id) => id !== null))]);
  const records = rows.map((row) =>
    edgeView(row, {
      source: ends.get(row.src_article_id),
      destination: ends.get(row.dst_article_id ?? ''),
    }),
  );
  return { records, next };
}

/** Returns the follows of a participant as POST /v1/follows answers them, newest first. */
export async function exportedFollows(db: Db, follower: RowKey, before: string | undefined) {
  const rows = await listFollowsOf(db, follower, before, atOnce);
  const records = rows.map(({ followee_id, created_at }) => ({
    follower_principal_id: follower.id,
    followee_principal_id: followee_id,
    created_at,
  }));
  return { records, next: rows.length < atOnce ? undefined : rows.at(-1)?.follow_id };
}
