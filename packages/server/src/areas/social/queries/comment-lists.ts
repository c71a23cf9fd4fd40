// Lists of comments: a thread, the replies to one comment, and an author's own.
import { atMost, whenGiven, namedIds, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import { articleColumns, commentColumns } from './comments.ts';
import type { ArticleColumns, CommentRow } from './comments.ts';

export interface CommentFilters {
  readonly stance?: string | undefined;
  readonly root?: string | undefined;
  readonly authorId?: string | undefined;
}

export interface CommentPage {
  readonly after: string | undefined;
  readonly limit: number;
}

/** Returns the columns that decide who may see an article. */
export function findArticle(db: Db, key: RowKey): Promise<ArticleColumns | undefined> {
  return db.first(sql<ArticleColumns>`
    select ${articleColumns}
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where a.bucket = ${key.bucket} and a.id = ${key.id}`);
}

/** Lists an article's comments, oldest first. Each filter has an index in this order. */
export function listComments(
  db: Db,
  article: RowKey,
  filters: CommentFilters,
  page: CommentPage,
): Promise<readonly CommentRow[]> {
  return db.rows(sql<CommentRow>`
    select ${commentColumns}
    from comments c
    ${sql.where([
      sql`c.bucket = ${article.bucket} and c.article_id = ${article.id}`,
      whenGiven(filters.root, (id) => sql`c.root_comment_id = ${id}`),
      whenGiven(filters.stance, (stance) => sql`c.stance = ${stance}`),
      whenGiven(filters.authorId, (id) => sql`c.author_id = ${id}`),
      whenGiven(page.after, (id) => sql`c.id > ${id}`),
    ])}
    order by c.id
    ${atMost(page.limit + 1)}`);
}

/** Lists the direct replies to a comment, oldest first. */
export function listReplies(
  db: Db,
  parent: RowKey,
  page: CommentPage,
): Promise<readonly CommentRow[]> {
  return db.rows(sql<CommentRow>`
    select ${commentColumns}
    from comments c
    ${sql.where([
      sql`c.bucket = ${parent.bucket} and c.parent_comment_id = ${parent.id}`,
      whenGiven(page.after, (id) => sql`c.id > ${id}`),
    ])}
    order by c.id
    ${atMost(page.limit + 1)}`);
}

/** Lists the ids of an author's comments, newest first; they are stored in the author's bucket. */
export async function listOwnIds(
  db: Db,
  author: RowKey,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ comment_id: string }>`
    select comment_id
    from comments_by_author
    ${sql.where([
      sql`bucket = ${author.bucket} and author_id = ${author.id}`,
      whenGiven(page.before, (id) => sql`comment_id < ${id}`),
    ])}
    order by comment_id desc
    ${atMost(page.limit + 1)}`);
  return rows.map((row) => row.comment_id);
}

/** Returns those of these comments that are visible on listed articles, ordered by id. */
export function listVisibleOf(db: Db, ids: readonly string[]): Promise<readonly CommentRow[]> {
  return db.rows(sql<CommentRow>`
    select ${commentColumns}
    from ${namedIds(ids)}
    join comments c on c.bucket = named.bucket and c.id = named.id
    join articles a on a.bucket = c.bucket and a.id = c.article_id
    where c.status = 'visible'
      and a.listed
    order by c.id`);
}

/** Returns comments by their ids, from any bucket, newest first. */
export async function listByIds(db: Db, ids: readonly string[]): Promise<readonly CommentRow[]> {
  // On several servers, an empty list would ask all of them.
  if (ids.length === 0) return [];
  return db.rows(sql<CommentRow>`
    select ${commentColumns}
    from ${namedIds(ids)}
    join comments c on c.bucket = named.bucket and c.id = named.id
    order by c.id desc`);
}

/** Returns the newest visible comments of an article, if everyone may read the article by its address. */
export function listNewest(db: Db, article: RowKey, limit: number): Promise<readonly CommentRow[]> {
  return db.rows(sql<CommentRow>`
    select ${commentColumns}
    from articles a
    join comments c on c.bucket = a.bucket and c.article_id = a.id
    where a.bucket = ${article.bucket}
      and a.id = ${article.id}
      and a.status = 'published'
      and a.visibility <> 'private'
      and c.status = 'visible'
    order by c.id desc
    ${atMost(limit)}`);
}
